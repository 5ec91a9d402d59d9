import { messageOf } from '../../engine/errors.ts'
import { host } from '../host/state.ts'
import { notify } from '../ui/notices.ts'

/** Changes something in the store and then asks it again; an error is shown. */
export async function act(change: () => Promise<void>, refresh: () => void): Promise<boolean> {
  try {
    await change()
    refresh()
    return true
  } catch (error) {
    notify({ tone: 'bad', text: messageOf(error) })
    return false
  }
}

/** Adds tags to runs and takes others away: `keep -old`. */
export function tagBy(words: string, runs: number[]): Promise<void> {
  const tags = words.split(/[\s,]+/).filter(Boolean)
  const removed = tags.filter((tag) => tag.startsWith('-')).map((tag) => tag.slice(1))
  return host().tagRuns(
    runs,
    tags.filter((tag) => !tag.startsWith('-')),
    removed,
  )
}
