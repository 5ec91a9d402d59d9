import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { parseOptions } from '../../options.ts'

/** Trained weights in a file, to stand under `from:`. */
export interface WeightsFile {
  readonly kind: 'weights'
  readonly path: string
  readonly resize: boolean
}

const schema = z.strictObject({ path: z.string().min(1), resize: z.boolean().default(false) })

/**
 * Weights of a file: our own exports, and as timm, facebookresearch/deit, Hugging Face (BERT) and big_vision (Mixer, ViT)
 * name them, as .safetensors or .npz. With `resize`, positions and matrices over tokens are resized to another grid of
 * patches; see weights/files/resize.ts. Throws MixlabError `option`.
 */
export function weights(options: { path: string; resize?: boolean }): WeightsFile {
  return { kind: 'weights', ...parseOptions(schema, options, 'weights') }
}

export function isWeightsFile(value: unknown): value is WeightsFile {
  return (value as WeightsFile | null | undefined)?.kind === 'weights'
}

/** Throws MixlabError `option` for a path that names no kind of file that can be read. */
export function checkEnding({ path }: WeightsFile, where: string): void {
  if (/\.(safetensors|npz)$/i.test(path)) return
  throw new MixlabError('option', where, `'${path}' is neither .safetensors nor .npz`)
}
