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

/** Who submits what: of the same one, the same piece of work. */
export interface Submitted {
  by: object
  from: number
  to: number
}

/** What a card has said against submissions, which are not waited for; told to whoever reads values next. */
export interface Faults {
  /**
   * Has the card collect errors from here on, for `tell` to say what one means. Equal submissions one after the other share that:
   * to ask the card after each takes as long as a tenth of a step.
   */
  watch(submitted: Submitted, tell: (fault: Fault) => MixlabError | null | Promise<MixlabError | null>): void
  /** Asks the card what it has said so far. */
  close(): void
  /** Takes an error back, as one that has been told, or of a program that is gone. */
  forget(fault: MixlabError): void
  /** Throws an error that has not been told, once it is known whether there is one. */
  check(): Promise<void>
}

/** Submissions after which the card is asked in any case, whether values are read or not. */
const MOST = 64

/** Of a card on which all others who collect errors are through with that before they wait for anything. */
export function createFaults(card: GpuDevice): Faults {
  const untold = new Set<MixlabError>()
  let known = Promise.resolve()
  let open: { submitted: Submitted; left: number; close(): void } | null = null

  function close(): void {
    open?.close()
    open = null
  }

  return {
    watch: (submitted, tell) => {
      const last = open?.submitted
      const isSame = last?.by === submitted.by && last.from === submitted.from && last.to === submitted.to
      if (open && isSame && --open.left > 0) return
      close()
      const collected = collectFaults(card)
      const end = () => {
        const told = collected().then((fault) => fault && tell(fault))
        known = Promise.all([told, known]).then(([found]) => {
          if (found) untold.add(found)
        })
      }
      open = { submitted, left: MOST, close: end }
    },
    close,
    forget: (fault) => untold.delete(fault),
    check: async () => {
      close()
      await known
      for (const fault of untold) {
        untold.delete(fault)
        throw fault
      }
    },
  }
}
