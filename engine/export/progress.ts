import type { Proof } from './prove.ts'

/** How far an export is: the model is made anew, evaluated, written, and then compared with what was written. */
export type ExportProgress =
  | { at: 'model' | 'file' }
  | { at: 'tests'; split: string; examples: number }
  | { at: 'proof'; proof: Proof }

/** How far an export is, in words. */
export function progressText(progress: ExportProgress): string {
  if (progress.at === 'tests')
    return `evaluated on ${progress.examples.toLocaleString('en-US')} examples of ${progress.split}`
  if (progress.at === 'proof') return `read again on ${progress.proof.examples} examples`
  return progress.at === 'model' ? 'the model is made' : 'it is written'
}
