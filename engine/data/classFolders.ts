import { MixlabError, quoted, suggest } from '../errors.ts'
import { alike, nameKey } from './classNames.ts'
import type { FileEntry, FileSource } from './files.ts'
import { type PartName, partIn, partNamed } from './partNames.ts'
import { isSystemEntry, passedOver } from './passedOver.ts'
import { join } from './paths.ts'

/** A file of an example. */
export interface ClassFile {
  /** Relative to the folder of the data set. */
  path: string
  /** Index into the classes. */
  label: number
  /** Bytes of the file. */
  size: number
}

/** The files of a data set by part and class. */
export interface ClassFiles {
  classes: string[]
  train: ClassFile[]
  /** Null where no folder is named for a held-out part. */
  test: ClassFile[] | null
  /** Empty unless there is a validation part beside the test part. */
  validation: ClassFile[]
  /** The folder of that validation part. */
  validationFolder: string
  /** What decides beside the files: new names of parts, and folders that are one class. Empty as a rule. */
  decided: string[]
  /** What was passed over or may be meant otherwise, a sentence each. */
  notices: string[]
}

/** Which files are examples, and where they stand. */
export interface ClassFileKind {
  ending: RegExp
  /** E.g. `no images in this class folder`. */
  none: string
  /** Whether files in folders within the folder of a class count, too. */
  deep: boolean
  /** Where parts stand as a rule: `<part>/<class>`, or `<class>/<part>` as in ModelNet. Other places enter `decided`. */
  order: 'part/class' | 'class/part'
  /** The names of parts that do not enter `decided`. */
  usual: readonly string[]
}

type Parts<Value> = Partial<Record<PartName, Value>>

/** How a data set stands in its folders. */
interface Layout {
  places: Place[]
  parts: Parts<string>
  order: string
  notices: string[]
}

/** A folder of files: of which part and class. */
interface Place {
  part: PartName
  /** As its folder is called. */
  name: string
  folder: string
}

/**
 * Finds the files of a data set below `path`, by class, sorted by path. Parts are known by the names of their folders
 * (partNames.ts) in either order; a single held-out part is the test. Without parts each folder is a class. Folders whose
 * names are equal after Unicode normalisation (NFC) are one class.
 *
 * Throws MixlabError `data` for fewer than 2 classes, a class without files, a class that is only held out, two folders for
 * one part, and folders that are named as parts but hold no classes.
 */
export async function listClassFiles(path: string, files: FileSource, kind: ClassFileKind): Promise<ClassFiles> {
  const passed = passedOver(path)
  const listed = new Map<string, Promise<FileEntry[]>>()
  const at = (folder: string) => (folder ? join(path, folder) : path)
  const fail = (folder: string, what: string) => new MixlabError('data', at(folder), what)
  const list = (folder: string) => {
    const known = listed.get(folder) ?? files.list(at(folder))
    listed.set(folder, known)
    return known
  }
  const foldersIn = async (folder: string) => (await list(folder)).filter(isFolder).map(({ name }) => name)

  const top = await foldersIn('')
  const { places, parts, order, notices } = (await partsAbove()) ?? (await partsWithin()) ?? (await classesAlone())
  const classes = await classesOf(places.filter(({ part }) => part === 'train'))
  const { train, validation, test } = { train: [], ...(await filesByPart()) } as Parts<ClassFile[]>
  const held = test ?? validation ?? null
  const usual = (folder: string) => order === kind.order && kind.usual.includes(folder)
  const named = Object.entries(parts).filter(([, folder]) => !usual(folder))
  const merged = classes.filter(({ folders }) => folders.length > 1)
  return {
    classes: classes.map(({ name }) => name),
    train: train ?? [],
    test: held,
    validation: test && validation ? validation : [],
    validationFolder: at(parts.validation ?? ''),
    decided: [
      ...named.map(([part, folder]) => `${order} ${part} ${folder}`),
      ...merged.map(({ folders }) => `class ${folders.join(' ')}`),
    ],
    notices: [
      ...notices,
      ...alike(classes.map(({ name }) => name)),
      ...missing('test', held),
      ...missing('validation', test && validation),
      ...passed.notices(),
    ],
  }

  function missing(part: string, own: ClassFile[] | null | undefined): string[] {
    const there = new Set(own?.map(({ label }) => label))
    const names = own ? classes.flatMap(({ name }, label) => (there.has(label) ? [] : [name])) : []
    return names.length > 0 ? [missingText(part, names)] : []
  }

  /** `<part>/<class>`; null where no folder with the name of a training part holds folders. */
  async function partsAbove(): Promise<Layout | null> {
    const holding: string[] = []
    for (const name of top) if (partNamed(name) && (await foldersIn(name)).length > 0) holding.push(name)
    if (!holding.some((name) => partNamed(name) === 'train')) return null
    for (const name of top.filter((each) => partNamed(each) && !holding.includes(each))) {
      const isOther = holding.some((other) => partNamed(other) === partNamed(name))
      const isMeant = kind.usual.includes(name) || (await list(name)).some(isExample)
      if (!isOther && isMeant) throw fail(name, `no class folders, expected ${name}/<class>`)
    }
    const parts = onlyParts(holding, '')
    const own = Object.values(parts)
    for (const entry of await list('')) if (!own.includes(entry.name)) pass(entry, '')
    const places: Place[] = []
    for (const [part, folder] of Object.entries(parts) as [PartName, string][]) {
      for (const entry of await list(folder)) if (!isFolder(entry)) pass(entry, folder)
      places.push(...(await foldersIn(folder)).map((name) => ({ part, name, folder: `${folder}/${name}` })))
    }
    return { places, parts, order: 'part/class', notices: [] }
  }

  /** `<class>/<part>`; null where no class has a training part. */
  async function partsWithin(): Promise<Layout | null> {
    const inner = new Map<string, string[]>()
    for (const name of top) inner.set(name, (await foldersIn(name)).filter(partNamed))
    const all = [...inner.values()].flat()
    const has = (names: string[], part: PartName) => names.some((name) => partNamed(name) === part)
    const isDivided = (names: string[]) =>
      has(names, 'train') && (kind.order === 'class/part' || new Set(names.map(partNamed)).size > 1)
    if (top.length < 2 || ![...inner.values()].some(isDivided)) return null
    const wanted = (['train', 'test', 'validation'] as const).filter((part) => has(all, part))
    if (wanted.length === 1) wanted.push('test')
    const needed = wanted.slice(0, 2)
    const places: Place[] = []
    const parts: Parts<string> = {}
    for (const [name, names] of inner) {
      const own = onlyParts(names, name)
      for (const part of needed) {
        const folder = own[part] ?? all.find((each) => partNamed(each) === part) ?? part
        if (!own[part])
          throw fail(`${name}/${folder}`, `no such folder, though the files are split into ${needed.join(' and ')}`)
      }
      for (const entry of await list(name)) if (!names.includes(entry.name)) pass(entry, name)
      for (const [part, folder] of Object.entries(own) as [PartName, string][]) {
        parts[part] = usualFirst(parts[part], folder)
        places.push({ part, name, folder: `${name}/${folder}` })
      }
    }
    for (const entry of await list('')) if (!isFolder(entry)) pass(entry, '')
    return { places, parts, order: 'class/part', notices: [] }
  }

  /** `<class>`. */
  async function classesAlone(): Promise<Layout> {
    const named = top.filter(partNamed)
    const [first = '', second] = named
    if (second !== undefined) {
      const what = `${named.slice(0, 3).map(quoted).join(' and ')} are names of parts, but no part to train on holds class folders`
      throw fail('', `${what}; expected train/<class> and test/<class>. If they are classes, rename their folders`)
    }
    const others = top.filter((name) => name !== first).map(nameKey)
    if (first && (await foldersIn(first)).some((name) => others.includes(nameKey(name)))) {
      throw fail(
        '',
        `${quoted(first)} holds classes and stands beside them; move the other classes into a folder 'train'`,
      )
    }
    const notices = await sameInside()
    for (const entry of await list('')) if (!isFolder(entry)) pass(entry, '')
    if (first && top.length > 1)
      notices.push(`${at(first)}: read as a class, although its name is also the name of a part`)
    return {
      places: top.map((name) => ({ part: 'train' as const, name, folder: name })),
      parts: {},
      order: '',
      notices,
    }
  }

  /** Says that classes may be parts with other names: all hold folders of the same names alone. Throws where their names tell. */
  async function sameInside(): Promise<string[]> {
    const [one = '', other = ''] = top
    if (!kind.deep || top.length < 2) return []
    let same = await foldersIn(one)
    for (const name of top) {
      if ((await list(name)).some(isExample)) return []
      const own = await foldersIn(name)
      same = same.filter((each) => own.includes(each))
    }
    if (same.length < 2) return []
    const all = listedNames(same)
    const training = top.find((name) => partIn(name) === 'train')
    const held = top.find((name) => ![null, 'train'].includes(partIn(name)))
    if (training !== undefined && held !== undefined)
      throw fail(
        '',
        `${quoted(training)} and ${quoted(held)} hold the same folders (${all}); call them 'train' and 'test'`,
      )
    const what = `${quoted(one)}, ${quoted(other)}${top.length > 2 ? ' and others' : ''} are read as classes, and hold the same folders (${all})`
    return [`${path}: ${what}; if those are the classes, call the others 'train' and 'test'`]
  }

  /** The folders among `names` by part. */
  function onlyParts(names: readonly string[], place: string): Parts<string> {
    const parts: Parts<string> = {}
    for (const name of names) {
      const part = partNamed(name) as PartName
      const other = parts[part]
      if (other !== undefined)
        throw fail(place, `${quoted(other)} and ${quoted(name)} are both named for the ${part} part, expected one`)
      parts[part] = name
    }
    return parts
  }

  async function classesOf(training: Place[]) {
    const byName = Map.groupBy(training, ({ name }) => nameKey(name))
    const found = [...byName].map(([key, own]) => {
      const folders = [...new Set(own.map(({ name }) => name))]
      return { key, folders, name: folders.length > 1 ? key : (folders[0] as string) }
    })
    if (found.length >= 2) return found.sort((a, b) => ((a.folders[0] as string) < (b.folders[0] as string) ? -1 : 1))
    const folder = parts.train ?? ''
    const [only] = training
    if (!only) throw fail(folder, 'no class folders, expected at least 2')
    const holds = (await foldersIn(only.folder)).length > 1
    const hint = holds ? `; if the classes are in ${only.name}, give the path ${at(only.folder)}` : ''
    throw fail(folder, `1 class folder (${only.name}), expected at least 2${hint}`)
  }

  async function filesByPart(): Promise<Parts<ClassFile[]>> {
    const found: Parts<ClassFile[]> = {}
    const keys = classes.map(({ key }) => key)
    for (const { part, name, folder } of places) {
      if (keys.includes(nameKey(name))) continue
      const known = classes.map((each) => each.name)
      throw fail(
        folder.slice(0, -name.length - 1) || part,
        `class ${quoted(name)} is not in training${suggest(name, known)}`,
      )
    }
    for (const [label, key] of keys.entries()) {
      for (const { part, folder } of places.filter(({ name }) => nameKey(name) === key)) {
        const own = await filesBelow(folder)
        if (own.length === 0) throw fail(folder, `${kind.none}${await insteadIn(folder)}`)
        const all = found[part] ?? []
        found[part] = all
        for (const file of own) all.push({ ...file, label })
      }
    }
    return found
  }

  async function filesBelow(folder: string): Promise<Omit<ClassFile, 'label'>[]> {
    const found: Omit<ClassFile, 'label'>[] = []
    for (const entry of await list(folder)) {
      const { name, size } = entry
      const place = `${folder}/${name}`
      if (isSystemEntry(entry)) continue
      if (kind.deep && isFolder(entry) && (await list(place)).length > 0)
        for (const file of await filesBelow(place)) found.push(file)
      else if (isExample(entry)) found.push({ path: place, size })
      else passed.add(entry, place)
    }
    listed.delete(folder) // there may be millions of files
    return found.sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** What is in a folder without examples, for its error. */
  async function insteadIn(folder: string): Promise<string> {
    const own = passedOver(at(folder))
    for (const entry of await list(folder)) own.add(entry, entry.name)
    return own
      .notices()
      .map((text) => text.replace(/^.*: passed over /, '; it has '))
      .join('')
  }

  /** Notes what stands where no examples are looked for. */
  function pass(entry: FileEntry, folder: string): void {
    const place = folder ? `${folder}/${entry.name}` : entry.name
    passed.add(entry, place, isExample(entry) ? 'file outside of the class folders' : undefined)
  }

  function isExample({ kind: is, name }: FileEntry): boolean {
    return is === 'file' && kind.ending.test(name)
  }

  function usualFirst(known: string | undefined, folder: string): string {
    return known !== undefined && !kind.usual.includes(known) ? known : folder
  }
}

const isFolder = (entry: FileEntry) => entry.kind === 'folder' && !isSystemEntry(entry)

/** Unreadable files that are named. */
const UNREADABLE = 10

/** What is said of files that were left out, for these reasons. */
export function unreadableNotices(reasons: string[], of: number): string[] {
  if (reasons.length === 0) return []
  const more = reasons.length > UNREADABLE ? [`and ${reasons.length - UNREADABLE} more`] : []
  return [`${reasons.length} of ${of} files left out as unreadable`, ...reasons.slice(0, UNREADABLE), ...more]
}

/** Classes that are named; the others are counted. */
const NAMED = 5

function listedNames(names: readonly string[]): string {
  return `${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ` and ${names.length - NAMED} more` : ''}`
}

/** That a part has no example of some classes that one trains on. */
export function missingText(part: string, classes: readonly string[]): string {
  const which = classes.length === 1 ? 'the class' : 'one of the classes'
  return `No ${part} example has ${which} ${listedNames(classes.map(quoted))}.`
}
