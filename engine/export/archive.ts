import { zipSync } from 'fflate'
import type { StoredRun } from '../records/run.ts'
import type { Written } from './formats/types.ts'

/** Letters that a name may have at most: study and variant may have any. */
const MAX_NAME_LENGTH = 100

/**
 * What the files of some runs are called, without endings: letters that every file system and an `import` of Python take,
 * and different for each run.
 */
export function namesOf(runs: readonly Pick<StoredRun, 'id' | 'study' | 'variant' | 'seed'>[]): string[] {
  const names = runs.map(({ study, variant, seed }) => {
    return `${plain(`${study}-${variant}`)}-seed${seed}`
  })
  return names.map((name, i) => {
    const others = names.some((other, k) => k !== i && other.toLowerCase() === name.toLowerCase())
    return others ? `${name}-run${runs[i]?.id}` : name
  })
}

/** What an archive of several runs is called, without its ending: `gating-6-runs` where all are of one study. */
export function archiveNameOf(runs: readonly Pick<StoredRun, 'study'>[]): string {
  const [study = '', ...others] = new Set(runs.map(({ study }) => study))
  return `${others.length === 0 ? plain(study) : 'mixlab'}-${runs.length}-runs`
}

function plain(name: string): string {
  return name.replace(/[^\w-]+/g, '_').slice(0, MAX_NAME_LENGTH)
}

/** Exported runs as one .zip, by their names; several have a folder each. Weights hardly get smaller, so they are stored as they are. */
export function archive(runs: ReadonlyMap<string, Written>): Uint8Array {
  const files = [...runs].flatMap(([name, written]) =>
    Object.entries(written).map(([ending, bytes]) => [`${runs.size > 1 ? `${name}/` : ''}${name}${ending}`, bytes]),
  )
  return zipSync(Object.fromEntries(files), { level: 0 })
}
