import { MixlabError, suggest } from '../errors.ts'
import type { Parameter } from '../nn/scope.ts'

/**
 * The parameters with those named in `names` exempt from weight decay, on top of what their layers exempt. A name is one
 * or more whole segments of a parameter's name: `pos_embed`, `norm.weight`, `blocks.0`. Throws MixlabError `option` for a
 * name that no parameter has.
 */
export function exemptFromDecay(parameters: Parameter[], names: string[]): Parameter[] {
  for (const name of names) {
    if (!parameters.some((parameter) => hasSegments(parameter.name, name))) {
      const what = `no parameter is called '${name}'${suggest(name, segments(parameters))}`
      throw new MixlabError('option', 'train.noDecay', what)
    }
  }
  return parameters.map((parameter) =>
    names.some((name) => hasSegments(parameter.name, name)) ? { ...parameter, decay: false } : parameter,
  )
}

/** Whether a name of a parameter has these whole segments, one or more of them in a row. */
export function hasSegments(name: string, segments: string): boolean {
  return `.${name}.`.includes(`.${segments}.`)
}

/** All words that names of parameters are made of, without the numbers of blocks. */
function segments(parameters: Parameter[]): string[] {
  const all = new Set(parameters.flatMap(({ name }) => name.split('.')))
  return [...all].filter((segment) => !/^\d+$/.test(segment))
}
