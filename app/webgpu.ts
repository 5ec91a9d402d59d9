import { type Gpu, type OpenedCard, openAdapter } from '../engine/backends/webgpu/card.ts'
import { MixlabError, messageOf, suggest } from '../engine/errors.ts'

/** The part of the package `webgpu` that opening a card needs. */
interface Dawn {
  create(flags: string[]): Gpu
  globals: Record<string, unknown>
}

/** Node dies at its end where Dawn has been collected before its devices. */
const opened: object[] = []

/**
 * Opens the graphics card of this machine through the optional package `webgpu`, Dawn for Node: the one with `name` in its
 * name, or the faster one. `flags` are those of Dawn, e.g. `backend=null` for a card that checks everything and computes
 * nothing. Throws MixlabError `backend` where the package or a card is missing, `option` for a name that no card has.
 */
export async function openCard(
  flags: string[] = [],
  name: string | null = null,
): Promise<OpenedCard & { name: string }> {
  const { create, globals } = await loadDawn()
  const gpu = create(name === null ? flags : [...flags, `adapter=${name}`])
  // tfjs looks for both there
  Object.assign(globalThis, globals)
  Object.defineProperty(globalThis.navigator, 'gpu', { value: gpu, configurable: true })
  const card = await openAdapter(gpu).catch((error: unknown) => {
    const known = name === null ? [] : namesIn(messageOf(error))
    const found = known.find((each) => each.toLowerCase().includes(name?.toLowerCase() ?? '')) // Dawn tells NVIDIA from nvidia
    if (found !== undefined && found !== name) return openCard(flags, found)
    if (name !== null && known.length > 0) {
      throw new MixlabError('option', '--card', `no card has '${name}' in its name${suggest(name, known)}`)
    }
    throw missing(`does not start: ${firstLine(error)}; is a driver for Vulkan, Metal or Direct3D 12 installed?`)
  })
  opened.push(gpu, card.device)
  const info = card.info as Record<'vendor' | 'architecture' | 'device' | 'description', string>
  const { vendor, architecture, device, description } = info
  return { ...card, name: description || device || [vendor, architecture].filter(Boolean).join(' ') || 'unnamed card' }
}

/** The names of cards in the list that Dawn gives where it is asked for another one. */
function namesIn(message: string): string[] {
  return [...new Set([...message.matchAll(/name: '(.*)'/g)].map(([, name = '']) => name))]
}

let dawn: Promise<unknown> | null = null

async function loadDawn(): Promise<Dawn> {
  try {
    dawn ??= import('webgpu')
    return (await dawn) as Dawn
  } catch (error) {
    throw missing(`needs the package 'webgpu', which does not load here: ${firstLine(error)}`)
  }
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n')[0] ?? ''
}

function missing(what: string): MixlabError {
  return new MixlabError('backend', '--backend', `'webgpu' ${what}`)
}
