import { MixlabError } from '../errors.ts'

/**
 * Shows values below the cell, one after another, before the value of its last expression. In a notebook every cell has
 * a `display` of its own; elsewhere this one throws MixlabError `notebook`.
 */
export function display(..._values: unknown[]): void {
  throw new MixlabError('notebook', 'display', 'shows values in a cell of a notebook, there is none here')
}
