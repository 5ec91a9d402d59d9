import { z } from 'zod'
import { MixlabError, suggest } from '../../errors.ts'
import { datasetKind } from '../kind.ts'
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

/**
 * The data set of the catalogue's entry `name`, read by `kind` with `options` besides the path. Opening throws MixlabError
 * `data` where it is not downloaded.
 */
export function catalogued<Data extends { name: string }>(
  name: string,
  kind: DatasetKind<Data>,
  options: Record<string, unknown> = {},
): DatasetKind<Data> {
  const path = catalogueFolder(catalogueEntry(name))
  return datasetKind(name, z.strictObject({}), async (_options, _hashed, files) => {
    await files.list(path).catch((error) => {
      if (!(error instanceof MixlabError) || error.code !== 'data') throw error
      throw new MixlabError('data', name, `not downloaded to ${path}: run 'mixlab data ${name}' in the workspace`)
    })
    return { ...(await kind.open({ ...options, path }, files)), name }
  })
}
