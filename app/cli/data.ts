import { type CatalogueEntry, catalogue, catalogueEntry, catalogueFolder } from '../../engine/data/catalogue/index.ts'
import { MixlabError } from '../../engine/errors.ts'
import { install, isInstalled, sizeOfEntry } from '../catalogue/install.ts'
import { clearPictureCache } from '../pictures/pictureCache.ts'
import { openWorkspace } from '../workspace/index.ts'
import { type Arguments, type CliCommand, EXIT, type Terminal, workspaceOf } from './command.ts'
import { SHOW_OPTIONS, show } from './data/show.ts'
import { megabytes } from './given/numbers.ts'
import { table } from './terminal/table.ts'
import { bar } from './training/progress.ts'

export const data: CliCommand = {
  name: 'data',
  synopsis: '[name | show <data> | clear]',
  summary:
    'list the public data sets that can be downloaded, download one into the workspace, show any data set, or remove the decoded pictures that the workspace keeps',
  words: [0, 2],
  options: {
    mirror: { value: 'URL', help: 'a folder that has the files, instead of their own sources' },
    ...SHOW_OPTIONS,
  },
  run: async (given, output) => {
    if (given.words[0] === 'show') return show(given, output)
    checkListed(given)
    const { root, pictures } = openWorkspace(workspaceOf(given))
    const [name] = given.words
    if (name === 'clear') return clear(pictures, given, output)
    return name === undefined ? list(root, given, output) : get(root, catalogueEntry(name), given, output)
  },
}

/** Throws MixlabError `option` where a list or a download has what is for `show` alone. */
function checkListed({ words, options }: Arguments): void {
  const [name, more] = words
  if (more !== undefined)
    throw new MixlabError('option', 'data', `'${name} ${more}', expected one name, or show and a data set`)
  const other = Object.keys(SHOW_OPTIONS).find((option) => options[option] !== undefined)
  if (other !== undefined) throw new MixlabError('option', `--${other}`, 'is of mixlab data show')
}

/** Removes what the workspace keeps of pictures; whatever needs them decodes them again. */
function clear(pictures: string, { options }: Arguments, { out }: Terminal): number {
  const bytes = clearPictureCache(pictures)
  out(options.json ? JSON.stringify({ removed: bytes }) : `${megabytes(bytes)} of decoded pictures were removed`)
  return 0
}

function list(root: string, { options }: Arguments, { out }: Terminal): number {
  const found = catalogue.map((entry) => {
    const { name, licence, source } = entry
    return {
      name,
      bytes: sizeOfEntry(entry),
      licence,
      source,
      path: isInstalled(root, entry) ? catalogueFolder(entry) : null,
    }
  })
  if (options.json) out(JSON.stringify(found))
  else {
    const rows = found.map(({ name, bytes, licence, path }) => [name, megabytes(bytes), path ?? 'no', licence])
    for (const line of table(['name', 'download', 'in the workspace', 'licence'], rows)) out(line)
  }
  return 0
}

async function get(root: string, entry: CatalogueEntry, { options }: Arguments, output: Terminal): Promise<number> {
  const { name } = entry
  const path = catalogueFolder(entry)
  const { out, err, redraw, signal } = output
  const present = isInstalled(root, entry)
  const total = sizeOfEntry(entry)
  try {
    await install(root, entry, {
      mirror: options.mirror === undefined ? undefined : String(options.mirror),
      signal,
      onBytes: (done) => redraw?.(`${name}  ${bar(done / total)}  ${megabytes(done)} of ${megabytes(total)}`),
    })
  } catch (error) {
    redraw?.('')
    if (!signal.aborted) throw error
    err('interrupted: the same command goes on from here')
    return EXIT.interrupted
  }
  redraw?.('')
  if (options.json) out(JSON.stringify({ name, path, downloaded: !present }))
  else out(present ? `${name} is in ${path} already` : `${name} is in ${path} (${entry.licence})`)
  return 0
}
