import { parseRoute } from '../ui/route.ts'
import { answerTo, type Command, keyName } from './command.ts'
import { COMMANDS } from './commands.ts'

const SEQUENCE_WITHIN = 1000 // ms between the keys of a sequence

const ANYWHERE = withMod('page')
const IN_NOTEBOOK = [...ANYWHERE, ...withMod('notebook')]
const WRITING = COMMANDS.filter(({ where }) => where === 'writing')
const ON_CELL = COMMANDS.filter(({ where }) => where !== 'editor')

/** The first key of a sequence on a cell, and when it came. */
let before = { keys: '', at: 0 }

type KeyEvent = Parameters<typeof keyName>[0] & { timeStamp: number; target?: EventTarget | null }

function withMod(place: Command['where']): Command[] {
  const commands = COMMANDS.filter(({ where }) => where === place)
  return commands.map((command) => ({ ...command, keys: command.keys.filter((key) => key.startsWith('Mod+')) }))
}

/** Acts on a key pressed on a cell, or `inside` it. Returns whether the key was one of the notebook's. */
export function handleCellKey(event: KeyEvent, inside: boolean): boolean {
  const pressed = keyName(event)
  if (!pressed) return false
  if (inside) return run(answerTo(WRITING, '', pressed))
  const begun = event.timeStamp - before.at < SEQUENCE_WITHIN ? before.keys : ''
  const answer = answerTo(ON_CELL, begun, pressed)
  before = { keys: answer === 'more' ? pressed : '', at: event.timeStamp }
  return run(answer)
}

/** Acts on a key pressed anywhere on the page. Returns whether the key was one of the notebook's. */
export function handlePageKey(event: KeyEvent): boolean {
  const pressed = keyName(event)
  return pressed !== null && run(answerTo(inNotebook(event.target) ? IN_NOTEBOOK : ANYWHERE, '', pressed))
}

/** Whether keys go to the notebook or an editor of its cells, and not to a field that undoes by itself what is typed. */
function inNotebook(target: EventTarget | null = null): boolean {
  const { view } = parseRoute(location.hash)
  const field = target instanceof Element && target.matches('input, select, textarea, [contenteditable]')
  return view === 'notebook' && (!field || target.matches('.cell .monaco-editor .inputarea'))
}

function run(answer: Command | 'more' | null): boolean {
  if (answer !== null && answer !== 'more') answer.run()
  return answer !== null
}
