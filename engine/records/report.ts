/** Results of one evaluation beyond its metrics, such as a confusion matrix. Plain JSON, kept with the run. */
export type Report = ClassificationReport | MaskedTokensReport

/** The reports of a run by the test they are of; `eval` in runs of before there was a validation split. */
export type RunReport = Record<string, Report>

export interface ClassificationReport {
  kind: 'classification'
  classes: string[]
  /** How many examples of class `row` were taken for class `column`. */
  confusion: number[][]
  /** Of each class, the share of its examples that was recognised; null where there are none. */
  accuracy: (number | null)[]
  /** The mistakes that the model was surest of, these first. */
  wrong: WrongExample[]
}

export interface WrongExample {
  /** Place in the split. */
  index: number
  label: number
  predicted: number
  /** What the model gave the predicted class. */
  probability: number
}

export interface MaskedTokensReport {
  kind: 'maskedTokens'
  /** The first texts of the split. */
  texts: MaskedText[]
}

export interface MaskedText {
  /** Place in the split. */
  index: number
  /** As the model read them, padding left out. */
  tokens: string[]
  /** The places that were asked for. */
  masked: MaskedToken[]
}

export interface MaskedToken {
  /** Index into `tokens`. */
  place: number
  /** What stood there. */
  token: string
  /** The tokens that the model holds most likely, these first. */
  likely: { token: string; probability: number }[]
}
