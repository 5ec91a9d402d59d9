import { z } from 'zod'
import { parseOptions } from '../../options.ts'

/** Trained weights in a file, to stand under `from:`. */
export interface WeightsFile {
  readonly kind: 'weights'
  readonly path: string
  readonly resize: boolean
  /** Of several models in it, how the names of this one begin. */
  readonly prefix?: string | undefined
}

const schema = z.strictObject({
  path: z.string().min(1),
  resize: z.boolean().default(false),
  prefix: z.string().min(1).optional(),
})

/**
 * Weights of a file: our own exports, and as timm, facebookresearch/deit, Hugging Face (BERT) and big_vision (Mixer, ViT)
 * name them: .safetensors, .npz, a checkpoint of PyTorch, of which no code is run, an index of several files, or a folder of
 * Hugging Face; the name of a file may end in anything. With `resize`, positions and matrices over tokens become those of
 * another grid of patches; see weights/files/resize.ts. Of several models in a file, `prefix` says which, as in `state_dict_ema`.
 * Throws MixlabError `option`.
 */
export function weights(options: { path: string; resize?: boolean; prefix?: string }): WeightsFile {
  return { kind: 'weights', ...parseOptions(schema, options, 'weights') }
}

export function isWeightsFile(value: unknown): value is WeightsFile {
  return (value as WeightsFile | null | undefined)?.kind === 'weights'
}
