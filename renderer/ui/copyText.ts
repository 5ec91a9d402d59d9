import { messageOf } from '../../engine/errors.ts'
import { notify } from './notices.ts'

/** Puts a text on the clipboard and says so; `what` begins the sentence, e.g. `The table as LaTeX`. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify({ text: `${what} is on the clipboard.` })
  } catch (error) {
    notify({ tone: 'bad', text: `${what} was not copied: ${messageOf(error)}` })
  }
}
