import { searchThrough } from '../search/search.ts'

/** A command that the user calls by keys or by name. */
export interface Command {
  name: string
  group: 'Run' | 'Cells' | 'Fork' | 'Go' | 'Notebook' | 'Kernel'
  /** `Shift+Enter`; `D D` is one key after the other; Mod is Ctrl, or Cmd on a Mac. */
  keys: readonly string[]
  /**
   * Where the keys work: on a selected cell, while the user is not typing; in a cell, also while typing; with Mod,
   * everywhere on the page; with Mod, in the notebook and its editors, but not in other fields for text. The editor
   * itself handles the keys of `editor`.
   */
  where: 'cell' | 'writing' | 'page' | 'notebook' | 'editor'
  run(): void
}

/** A key with its modifiers as in `Command.keys`; null for a modifier alone. */
export function keyName(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
): string | null {
  const { key } = event
  if (['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'Dead'].includes(key)) return null
  const letter = key.length === 1
  const words = [
    event.ctrlKey || event.metaKey ? 'Mod' : '',
    event.altKey ? 'Alt' : '',
    event.shiftKey && (!letter || key.toLowerCase() !== key.toUpperCase()) ? 'Shift' : '', // '?' says Shift already
    letter ? key.toUpperCase() : key,
  ]
  return words.filter(Boolean).join('+')
}

/** The command of a key that was pressed after the keys in `before`; `more` where a longer sequence begins with them. */
export function answerTo(commands: readonly Command[], before: string, pressed: string): Command | 'more' | null {
  const sequence = before ? `${before} ${pressed}` : pressed
  const found = commands.find(({ keys }) => keys.includes(sequence))
  if (found) return found
  if (commands.some(({ keys }) => keys.some((each) => each.startsWith(`${sequence} `)))) return 'more'
  return before ? answerTo(commands, '', pressed) : null
}

/**
 * The commands whose names contain all words of `query`, names that begin with it first. Where no name does, the
 * commands that the search finds for it.
 */
export function matching(commands: readonly Command[], query: string): Command[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = commands.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
  const first = ({ name }: Command) => (words[0] && name.toLowerCase().startsWith(words[0]) ? 0 : 1)
  if (found.length === 0) return searchThrough(commands, ({ name, group }) => [name, group], 0.5)(query)
  return found.sort((a, b) => first(a) - first(b))
}

/** Keys as they are written for people: `Ctrl+Shift+P`, on a Mac `⌘⇧P`. */
export function shownKeys(keys: string, mac = navigator.platform.startsWith('Mac')): string {
  if (!mac) return keys.replaceAll('Mod', 'Ctrl').replaceAll('Arrow', '')
  const signs = { Mod: '⌘', Alt: '⌥', Shift: '⇧' }
  return keys.replaceAll('Arrow', '').replace(/(Mod|Alt|Shift)\+/g, (_, name: keyof typeof signs) => signs[name])
}
