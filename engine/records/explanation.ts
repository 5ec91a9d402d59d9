/** How an answer of a model comes about, in numbers. */
export interface Explanation {
  /** The class that is asked about, and its probability. */
  name: string
  probability: number
  /** How the units of a picture lie; null for those in a row. */
  grid: [rows: number, columns: number] | null
  /** Where the units of a cloud lie, `[units, 3]`, flat; null for other inputs. */
  cloud: number[] | null
  /** At which token each word stands; null for other inputs. */
  places: number[] | null
  /** What was replaced one at a time: patches, words or points. */
  units: string[]
  /** How much of the probability is lost without each (Zeiler and Fergus 2014). */
  drops: Float32Array
  /**
   * By block, `[tokens, units]`: how far each token after it moves where a unit is replaced, by the norm over channels; of
   * blocks whose output is tokens.
   */
  mixing: { block: number; tokens: number; values: Float32Array }[]
  /** Gradient of the logit times input, summed over channels, `[height, width]`; of pictures alone (Shrikumar et al. 2016). */
  gradient: { rows: number; columns: number; values: Float32Array } | null
  /** The probability where a block does nothing, or a head gives zeros. */
  parts: { name: string; probability: number }[]
}
