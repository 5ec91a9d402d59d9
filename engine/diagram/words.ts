import type { Diagram } from './diagram.ts'
import type { Difference } from './difference.ts'
import { shortBytes } from './names.ts'

/** What a model costs, in a line; for code that fails, why and where. */
export function totalsText({ totals, peakBytes, wrong }: Diagram): string {
  const { parameters, macs } = totals
  const counts = `${parameters.toLocaleString('en-US')} parameters, ${macs.toLocaleString('en-US')} multiply-adds forward`
  if (wrong) return `${wrongText(wrong)}; until there ${counts}`
  return `${counts}, ${shortBytes(peakBytes ?? 0)} of activations, for a batch of one`
}

/** Why and where code fails. */
export function wrongText({ sentence, line, scopes }: NonNullable<Diagram['wrong']>): string {
  const within = scopes.length > 0 ? `, in ${scopes.at(-1)}` : ''
  return `fails${line === null || sentence.startsWith(line) ? '' : ` in ${line}`}${within}: ${sentence}`
}

/** How two models differ, in a line. */
export function differenceText({ added, removed, changed, diagram }: Difference, a: string, b: string): string {
  if (diagram.wrong) return `${b} fails, so that it differs from ${a} where it ends`
  if (added + removed + changed > 0) {
    return `${b} against ${a}: ${added} operations added, ${removed} removed, ${changed} changed`
  }
  return `${b} does the same operations as ${a}; what differs is none of a forward pass, as initial values, dropout or the recipe`
}
