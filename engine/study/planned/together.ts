import { MixlabError, suggest } from '../../errors.ts'
import type { Study } from '../compare.ts'

/**
 * Throws MixlabError `option` where studies of a notebook are planned together with one that it does not define, or with one
 * that is planned together with others.
 */
export function checkTogetherAmong(studies: readonly Pick<Study, 'name' | 'spec'>[]): void {
  const names = studies.map(({ name }) => name)
  for (const { name, spec } of studies) {
    for (const other of spec.together ?? []) {
      const fail = (what: string) => new MixlabError('option', `${name}.together`, what)
      const found = studies.find((each) => each.name === other)
      if (!found) throw fail(`the notebook defines no study '${other}'${suggest(other, names)}`)
      if (setOf(found.spec.together) !== setOf(spec.together)) {
        throw fail(`'${other}' is not planned together with the same studies; give both the same list`)
      }
    }
  }
}

const setOf = (names: readonly string[] = []) => JSON.stringify(names.toSorted())
