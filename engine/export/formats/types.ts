import type * as tf from '@tensorflow/tfjs-core'
import type { Distribution } from '../../nn/distribution.ts'
import type { NamedTensor } from '../../weights/safetensors.ts'
import type { ModelInputs } from '../graph/record.ts'
import type { TrainingGraph } from '../graph/training.ts'
import type { ExportGraph } from '../graph/types.ts'
import type { KnownFormat } from './known.ts'

/** A model that leaves. */
export interface Exported {
  /** Parameters under the names and in the layouts of files. */
  tensors: NamedTensor[]
  /** What the file says of itself: text by name, of which `mixlab` is the JSON description. */
  metadata: Record<string, string>
  /** Made when a format asks for it. */
  graph(): Promise<ExportGraph>
  /** The same for training, too. */
  training(): Promise<TrainingGraph>
  /** The script of demos, null where it was not built, and what it shows beside the model, as JSON. */
  demo(): Promise<{ player: string | null; beside: string }>
}

/** Files by what their names end in: the first one has the ending of the format. */
export type Written = Record<string, Uint8Array>

/** Logits for the inputs of a batch. The caller disposes them. */
export type Reader = (inputs: ModelInputs) => tf.Tensor | Promise<tf.Tensor>

/** A tensor of a module that can be trained, as its source has it. */
export interface ReadTensor {
  name: string
  shape: number[]
  trained: boolean
  /** What it starts from; null where nothing draws it. */
  initial: Distribution | null
}

/** A module of a file that can be trained. */
export interface TrainedReader {
  /** What there is before a file is loaded. */
  tensors: ReadTensor[]
  /** The value that the file has for one. The caller disposes it. */
  values(name: string): tf.Tensor
  /** Logits in evaluation. The caller disposes them. */
  run: Reader
  /**
   * Logits in training, for `given` values of its tensors by name, with these masks in place of random draws, in their
   * order (some may stay unused); and the new values of buffers. Call it inside `tf.tidy`; the caller disposes what is
   * moved.
   */
  train(
    inputs: ModelInputs,
    given: tf.NamedTensorMap,
    masks: { mask: tf.Tensor; rate: number }[],
  ): { logits: tf.Tensor; moved: tf.NamedTensorMap }
}

/** Logits by the code of the model, which is given these tensors. */
export type WithTensors = (tensors: NamedTensor[]) => Reader

/** One way to write a model. */
export interface Format extends KnownFormat {
  /** `name` is that of the files without their endings. */
  write(model: Exported, name: string): Promise<Written>
  /**
   * Reads the files again by other code than wrote them. Formats of tensors alone need the code of the model, `fill`.
   * Throws MixlabError `weights`.
   */
  read(files: Written, fill: WithTensors, name: string): Promise<Reader> | Reader
  /** The same for a module that can be trained. */
  readTrained?(files: Written): TrainedReader
  /** Lines of code that use the file, by language; `file` is its name. */
  snippets(file: string, inputs: Described[]): Snippets
}

/** Lines of code by language. */
export interface Snippets {
  python: string[]
  javascript: string[]
}

/** What a model reads; the first axis counts examples. */
export interface Described {
  name: string
  shape: number[]
  dtype: string
}

/** The name of a file as Python and JavaScript write it, whatever is in it. */
export const quoted = (file: string) => (/['\\\p{Cc}]/u.test(file) ? JSON.stringify(file) : `'${file}'`)

/** An input for one example, as a snippet makes it. */
export const zerosInPython = ({ shape, dtype }: Described) => `np.zeros([1, ${shape.slice(1).join(', ')}], np.${dtype})`

/** The same as a typed array. */
export const zerosInJavaScript = ({ shape, dtype }: Described) =>
  `new ${dtype === 'int32' ? 'Int32Array' : 'Float32Array'}(${shape.slice(1).join(' * ')})`
