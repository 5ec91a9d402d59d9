import { MixlabError } from '../errors.ts'

/**
 * Shows values below the cell, one after another, besides that of the expression that ends it. In a notebook every cell
 * has a `display` of its own; this one stands for it elsewhere, and throws MixlabError `notebook`.
 */
export function display(..._values: unknown[]): void {
  throw new MixlabError('notebook', 'display', 'shows values in a cell of a notebook, there is none here')
}
