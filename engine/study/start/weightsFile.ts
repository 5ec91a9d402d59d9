import { z } from 'zod'
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
 * name them: .safetensors, .npz, a checkpoint of PyTorch, of which no code is run, an index of several files, or a folder of
 * Hugging Face, whatever the file is called. With `resize`, positions and matrices over tokens become those of another grid of patches; see
 * weights/files/resize.ts. Throws MixlabError `option`.
 */
export function weights(options: { path: string; resize?: boolean }): WeightsFile {
  return { kind: 'weights', ...parseOptions(schema, options, 'weights') }
}

export function isWeightsFile(value: unknown): value is WeightsFile {
  return (value as WeightsFile | null | undefined)?.kind === 'weights'
}
