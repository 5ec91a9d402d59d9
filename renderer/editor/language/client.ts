import { connect } from '../../../engine/channel.ts'
import { workerChannel } from '../../protocol/workerChannel.ts'
import { shownCells } from '../shown.ts'
import type { LanguageCalls } from './protocol.ts'

/** The calls from the page, where each takes its time. */
type Remote = {
  [Name in keyof LanguageCalls]: (
    ...given: Parameters<LanguageCalls[Name]>
  ) => Promise<Awaited<ReturnType<LanguageCalls[Name]>>>
}

let remote: Remote | null = null
/** The texts that the worker knows. */
let sent = new Map<string, string>()

/** The language worker, which knows all cells as they are now. The first call starts it, which takes a second or two. */
export function language(): Remote {
  remote ??= start()
  const cells = shownCells().filter((cell) => cell.language === 'typescript')
  const now = new Map(cells.map(({ key, source }) => [key, source]))
  const changed = cells
    .filter(({ key, source }) => sent.get(key) !== source)
    .map(({ key, source }) => ({ key, source }))
  const same = changed.length === 0 && [...now.keys()].join() === [...sent.keys()].join()
  sent = now
  if (!same) void remote.setCells([...now.keys()], changed).catch(() => {}) // the call itself fails, too
  return remote
}

function start(): Remote {
  const worker = new Worker(new URL('./language-worker.ts', import.meta.url), {
    type: 'module',
    name: 'mixlab language',
  })
  const { remote: started, close } = connect<Remote>({}, workerChannel(worker))
  sent = new Map()
  worker.addEventListener('error', (event) => {
    worker.terminate()
    if (remote === started) remote = null
    close(`the language worker stopped: ${event.message || 'it could not be loaded'}`)
  })
  return started
}
