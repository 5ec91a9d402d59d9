import { z } from 'zod'
import { MixlabError, suggest } from '../../errors.ts'
import { parseOptions } from '../../options.ts'
import { splitShape } from '../splits.ts'
import type { DatasetKind } from '../types.ts'
import { type CatalogueEntry, catalogue } from './entries.ts'

export { type CatalogueEntry, type CatalogueFile, catalogue } from './entries.ts'

/** The entry called `name`. Throws MixlabError `option` for an unknown one. */
export function catalogueEntry(name: string): CatalogueEntry {
  const entry = catalogue.find((candidate) => candidate.name === name)
  const names = catalogue.map((candidate) => candidate.name)
  if (!entry) throw new MixlabError('option', 'data', `unknown data set '${name}'${suggest(name, names)}`)
  return entry
}

/** The folder of an entry, relative to the workspace. */
export function catalogueFolder({ name }: Pick<CatalogueEntry, 'name'>): string {
  return `data/${name}`
}

const schema = z.strictObject(splitShape)

/**
 * The data set of the catalogue's entry `name`, read by `kind` with `options` besides the path; a
 * user gives those of splits.ts. Opening throws MixlabError
 * `data` where it is not downloaded.
 */
export function catalogued<Data extends { name: string }>(
  name: string,
  kind: DatasetKind<Data>,
  options: Record<string, unknown> = {},
): DatasetKind<Data> {
  const path = catalogueFolder(catalogueEntry(name))
  const resolve = (given: Record<string, unknown>) => parseOptions(schema, given, 'task.data')
  const open: DatasetKind<Data>['open'] = async (given, files) => {
    await files.list(path).catch((error) => {
      if (!(error instanceof MixlabError) || error.code !== 'data') throw error
      throw new MixlabError('data', name, `not downloaded to ${path}: run 'mixlab data ${name}' in the workspace`)
    })
    return { ...(await kind.open({ ...options, ...resolve(given), path }, files)), name }
  }
  return { name, resolve, open }
}
