import type { BackendName } from '../../../engine/backends/types.ts'
import { connect } from '../../../engine/channel.ts'
import { MixlabError } from '../../../engine/errors.ts'
import { type Link, openPort } from '../../host/link.ts'
import type { KernelSessionCalls, KernelSessionEvents } from '../../protocol/kernelSession.ts'
import type { Kernel } from './client.ts'

/** What a kernel that outlives the page offers beside the usual calls. */
export interface DetachableKernel
  extends Pick<KernelSessionCalls, 'state' | 'result' | 'keepStarted' | 'takeStarted' | 'rename'> {
  /** Leaves it, with what it does, for pages to come; calls in progress reject with `reason`. */
  leave(reason: string): void
}

/** Notebooks whose kernel this page has ended: the next one is to be another, even if the hidden window is late to hear. */
const ended = new Set<string | null>()

/** Opens a way to the kernels of the hidden window. Throws MixlabError `backend`. */
const openKernels = () => openPort('mixlab:kernels', 'the window of the kernels does not answer')

/**
 * Joins the kernel of a notebook in the hidden window of the desktop application, which is started there if there is none.
 * `died` is called where it ends by itself, after calls in progress have been rejected.
 */
export function joinHiddenKernel(
  page: Omit<KernelSessionEvents, 'died'>,
  notebook: string | null,
  wanted: BackendName | null,
  died: (reason: string) => void,
  open: () => Promise<Link> = openKernels,
): Kernel & { kept: DetachableKernel } {
  const fresh = ended.delete(notebook)
  let name = notebook
  let gone: string | null = null
  const joined = open().then((link) => {
    const { remote, close } = connect<KernelSessionCalls, KernelSessionEvents>({ ...page, died: fail }, link.channel)
    void link.closed.then(() => fail('the window that it lives in has ended'))
    const part = (reason: string) => {
      link.close()
      close(reason)
    }
    if (gone !== null) part(gone)
    return { remote, part }
  })
  async function remote() {
    const { remote } = await joined
    if (gone !== null) throw new MixlabError('backend', '', gone)
    return remote
  }

  function part(reason: string): void {
    gone ??= reason
    joined.then(({ part }) => part(reason)).catch(() => {})
  }

  function fail(reason: string): void {
    if (gone !== null) return
    part(`the kernel stopped: ${reason}`)
    died(`the kernel stopped: ${reason}`)
  }

  return {
    started: remote().then((kernel) => kernel.join(notebook, wanted, fresh)),
    evaluate: async (request) => (await remote()).evaluate(request),
    interrupt: async () => (await remote()).interrupt(),
    answer: async (request) => (await remote()).answer(request),
    explain: async (request) => (await remote()).explain(request),
    ablate: async (request) => (await remote()).ablate(request),
    measure: async (request) => (await remote()).measure(request),
    lookAtData: async (...asked) => (await remote()).lookAtData(...asked),
    examples: async (request) => (await remote()).examples(request),
    conformance: async (name, file) => (await remote()).conformance(name, file),
    ping: async () => (await remote()).ping(),
    kill(reason) {
      if (gone !== null) return // what was left is not ours any more
      ended.add(name)
      joined.then(({ remote }) => remote.end(reason)).catch(() => {}) // it has ended, then
      part(reason)
    },
    kept: {
      state: async () => (await remote()).state(),
      result: async (id) => (await remote()).result(id),
      keepStarted: async (started) => (await remote()).keepStarted(started),
      takeStarted: async (of, cell) => (await remote()).takeStarted(of, cell),
      async rename(to) {
        name = to
        await (await remote()).rename(to)
      },
      leave: part,
    },
  }
}
