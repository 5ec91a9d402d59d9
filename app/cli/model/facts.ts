import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MixlabError } from '../../../engine/errors.ts'
import type { SidecarInfo } from '../../../engine/predict/file.ts'
import { activationNamed, IMAGENET, poolNamed } from '../../../engine/weights/foreign/config.ts'
import type { Facts } from '../../../engine/weights/foreign/facts.ts'
import type { Arguments, Option } from '../command.ts'
import { wholeNumber } from '../given/numbers.ts'
import { bytesOf } from './files.ts'

const CONFIG = 'config.json'

/** Options that say what the tensors of a file from elsewhere do not. */
export const FACT_OPTIONS: Record<string, Option> = {
  config: { value: 'JSON', help: 'configuration of timm or Hugging Face, or none (default: beside it)' },
  heads: { value: 'N', help: 'heads of its attention' },
  mean: { value: 'M,...', help: 'of pixels from 0 to 1, of all channels or each; or imagenet' },
  std: { value: 'S,...', help: 'what they are divided by, likewise' },
  activation: { value: 'A', help: 'gelu, gelu_tanh, quick_gelu, relu or silu' },
  eps: { value: 'E', help: 'of its norms' },
  'gate-eps': { value: 'E', help: 'of the norms in the gates of gMLP' },
  pool: { value: 'P', help: 'token or avg: what a ViT takes for the whole picture' },
  size: { value: 'HxW', help: 'of its pictures, where they are not square' },
  crop: { value: 'C', help: 'share of the sides that is cut out of the middle (default: 1)' },
  squash: { help: 'distort pictures to the size, cutting nothing off' },
  bgr: { help: 'its channels come in the order blue, green, red' },
  labels: { value: 'L', help: 'names of its classes: a file with one a line, or apart by commas' },
  prefix: { value: 'P', help: 'which of several models in the file: how the names of its tensors begin' },
}

/** What the user says of a model, and what lies beside its file. Throws MixlabError. */
export async function besideOf(given: Arguments, path: string | null): Promise<SidecarInfo> {
  const { config, prefix } = given.options
  const facts = await factsOf(given)
  if (path === null) {
    if (config === undefined && prefix === undefined) return { facts }
    throw new MixlabError('option', config === undefined ? '--prefix' : '--config', 'is of a file, not of a run')
  }
  const at = config === undefined ? join(dirname(path), CONFIG) : String(config)
  const named = { facts, ...(prefix !== undefined && { prefix: String(prefix) }) }
  if (at === 'none' || (config === undefined && !existsSync(at))) return named
  const preprocessing = join(dirname(at), 'preprocessor_config.json')
  return {
    ...named,
    config: await textOf(at),
    preprocessing: existsSync(preprocessing) ? await textOf(preprocessing) : null,
  }
}

const textOf = async (path: string) => new TextDecoder().decode(await bytesOf(path))

async function factsOf(given: Arguments): Promise<Facts> {
  const { activation, pool, bgr, squash } = given.options
  const text = (value: string | boolean | undefined) => (value === undefined ? undefined : String(value))
  return {
    heads: wholeNumber(given, 'heads', 1),
    activation: activationNamed(text(activation), '--activation'),
    eps: positive(given, 'eps'),
    gateEps: positive(given, 'gate-eps'),
    pool: poolNamed(text(pool), '--pool'),
    size: sizeOf(given),
    mean: byChannel(given, 'mean', IMAGENET.mean),
    deviation: byChannel(given, 'std', IMAGENET.deviation),
    crop: positive(given, 'crop', 1),
    squash: squash === true || undefined,
    bgr: bgr === true || undefined,
    labels: await labelsOf(text(given.options.labels)),
  }
}

function positive({ options }: Arguments, name: string, most = Number.MAX_VALUE): number | undefined {
  const text = options[name]
  if (text === undefined) return undefined
  const value = Number(text)
  if (value > 0 && value <= most) return value
  const bound = most < Number.MAX_VALUE ? ` and at most ${most}` : ''
  throw new MixlabError('option', `--${name}`, `'${text}', expected a number above 0${bound}`)
}

/** `224` or `224x160`. */
function sizeOf({ options: { size } }: Arguments): [number, number] | undefined {
  if (size === undefined) return undefined
  const [, height, width = height] = /^(\d{1,4})(?:x(\d{1,4}))?$/.exec(String(size)) ?? []
  if (Number(height) > 0 && Number(width) > 0) return [Number(height), Number(width)]
  throw new MixlabError('option', '--size', `'${size}', expected pixels, HEIGHTxWIDTH`)
}

/** Numbers of an option; how many there may be, the model knows. */
function byChannel({ options }: Arguments, name: string, imagenet: readonly number[]): readonly number[] | undefined {
  const text = options[name]
  if (text === undefined || text === 'imagenet') return text && imagenet
  const values = String(text).split(',').map(Number)
  if (String(text).trim() !== '' && values.every(Number.isFinite)) return values
  throw new MixlabError('option', `--${name}`, `'${text}', expected numbers apart by commas, or imagenet`)
}

/** Names from a file, one a line, or from the option itself. */
async function labelsOf(text: string | undefined): Promise<string[] | undefined> {
  if (text === undefined) return undefined
  if (!existsSync(text)) return text.split(',').map((name) => name.trim())
  return (await textOf(text)).trimEnd().split(/\r?\n/)
}
