/** The parts of a data set that folders and files are named for. */
export type PartName = 'train' | 'validation' | 'test'

/** Every name of a part that is known, in lower case. */
const NAMES: Readonly<Record<PartName, readonly string[]>> = {
  train: ['train', 'training', 'trn'],
  validation: ['val', 'valid', 'validation', 'dev', 'development', 'vld'],
  test: ['test', 'testing', 'tst', 'eval', 'evaluation', 'holdout', 'heldout'],
}

/** Words that may stand beside the name of a part, as in `training_set`, `testData` or `seg_train`. */
const BESIDE = ['set', 'split', 'data', 'images', 'image', 'imgs', 'img', 'pictures', 'photos', 'texts', 'seg', 'wiki']
const GLUED = new RegExp(`^(${Object.values(NAMES).flat().join('|')})(set|data|images|imgs)$`)
/** A year, as in `val2017`. */
const YEAR = /(19|20)\d\d$/

/** Numbers by which folders are sorted, as in `01_train`, and those of copies, as in `train (1)`. */
const SORTED = /^\d+[\s._-]+| \(\d+\)$/g

/** The part that a folder or a file without its ending is named for, in any case; null for any other name. */
export function partNamed(name: string): PartName | null {
  const words = wordsOf(name)
  return words.length === 1 ? partOf(words[0] as string) : null
}

/** The part that one of the words of a name is the name of, as in `x_train`; null where there is none. */
export const partIn = (name: string): PartName | null =>
  wordsOf(name)
    .map(partOf)
    .find((part) => part) ?? null

const partOf = (word: string) => (Object.keys(NAMES) as PartName[]).find((part) => NAMES[part].includes(word)) ?? null

function wordsOf(name: string): string[] {
  return name
    .replace(SORTED, '')
    .replace(YEAR, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s._-]+/)
    .map((word) => GLUED.exec(word)?.[1] ?? word)
    .filter((word) => word !== '' && !BESIDE.includes(word))
}
