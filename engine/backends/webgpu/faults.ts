import { MixlabError } from '../../errors.ts'
import type { GpuDevice } from './gpu.ts'

/** What a card may say against commands: it has no room for them, fails by itself, or they are not allowed. */
const KINDS = ['out-of-memory', 'internal', 'validation'] as const
type Kind = (typeof KINDS)[number]

/** An error of a card. */
export interface Fault {
  kind: Kind
  message: string
}

/**
 * Has the card collect errors until the function that it gives is called, which has to be: that one resolves to the first error,
 * where there is one; those of memory come before others, which they may have caused. The loss of a card is told elsewhere.
 */
export function collectFaults(card: GpuDevice, kinds: readonly Kind[] = KINDS): () => Promise<Fault | null> {
  for (const kind of kinds) card.pushErrorScope(kind)
  return async () => {
    const all = kinds.toReversed().map((kind) => popped(card, kind)) // the scope that was opened last is closed first
    return (await Promise.all(all)).findLast((fault) => fault !== null) ?? null
  }
}

async function popped(card: GpuDevice, kind: Kind): Promise<Fault | null> {
  try {
    const found = await card.popErrorScope()
    return found && { kind, message: (found.message.split('\n')[0] as string).replace(/\.$/, '') }
  } catch {
    return null // the card is lost
  }
}

/** That a card has said something against `what`, and what to do. */
export function faultOf({ kind, message }: Fault, what: string): MixlabError {
  if (kind === 'out-of-memory') return noRoom(what)
  const why = kind === 'internal' ? 'has failed at' : 'refuses'
  return new MixlabError(
    'backend',
    'webgpu',
    `the graphics card ${why} ${what}: ${message}; backend simd needs no card`,
  )
}

/** That the memory of a card is too small, or full. */
export function noRoom(what: string): MixlabError {
  const advice = 'a smaller batch takes less, and backend simd takes none of it'
  return new MixlabError('backend', 'webgpu', `the graphics card has no room for ${what}; ${advice}`)
}

/** What a card has said against submissions, which are not waited for; told to whoever reads values next. */
export interface Faults {
  /** An error, or null, that is still to come. */
  expect(fault: Promise<MixlabError | null>): void
  /** Takes an error back, as one that has been told, or of a program that is gone. */
  forget(fault: MixlabError): void
  /** Throws an error that has not been told, once it is known whether there is one. */
  check(): Promise<void>
}

export function createFaults(): Faults {
  const untold = new Set<MixlabError>()
  let known = Promise.resolve()
  return {
    expect: (fault) => {
      known = Promise.all([fault, known]).then(([found]) => {
        if (found) untold.add(found)
      })
    },
    forget: (fault) => untold.delete(fault),
    check: async () => {
      await known
      for (const fault of untold) {
        untold.delete(fault)
        throw fault
      }
    },
  }
}
