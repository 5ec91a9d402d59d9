import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EvaluateResult, PageCalls } from '../../../renderer/protocol/kernel.ts'
import { setFollows } from '../../../renderer/session/following.ts'
import { useKernel } from '../../../renderer/session/kernel/state.ts'
import { idle, interrupt, leave, restart, runAll, runCells } from '../../../renderer/session/run.ts'
import {
  askAfterPending,
  endPersisted,
  noteTaken,
  persistsAny,
  releasePersisted,
} from '../../../renderer/session/started/persistedCells.ts'
import { stubStorage } from '../storage.ts'
import { begin, edit, fake, NOTEBOOK, openNotebook, phase, plan, ran, settled, started, written } from './fakeKernel.ts'

vi.mock('../../../renderer/session/kernel/client.ts', async () => ({
  startKernel: (await import('./fakeKernel.ts')).startKernel,
}))

/** Makes a cell wait; the others answer at once. */
function holding(held: string, answer: Partial<EvaluateResult> = {}, begun = (_: PageCalls) => {}) {
  let finish = () => {}
  fake.answer = ({ id }, page) => {
    if (id !== held) return Promise.resolve({})
    begun(page)
    return new Promise((resolve) => {
      finish = () => resolve(answer)
    })
  }
  return () => finish()
}

const running = (id: string) => expect.poll(() => useKernel.getState().running?.id).toBe(id)
const follow = (name: string) => {
  stubStorage()
  setFollows(name, true)
}

beforeEach(begin)
afterEach(() => vi.unstubAllGlobals())

describe('a notebook that is closed', () => {
  it('has its cell in progress ended with the kernel, and nothing of it comes into the next notebook', async () => {
    holding('block')
    runAll()
    await running('block')
    const before = fake.started
    leave()
    openNotebook('other.ts')
    await idle()
    expect([phase('block'), phase('study'), phase('use')]).toEqual([undefined, undefined, undefined])
    expect(fake.asked).toEqual(['train block'])
    expect(useKernel.getState().evaluated).toEqual({})
    expect(fake.started).toBe(before + 1)
  })

  it('has no cell run again whose kernel lost its card', async () => {
    let page: PageCalls | null = null
    holding('block', {}, (given) => {
      page = given
    })
    runCells(['block'])
    await running('block')
    ;(page as PageCalls | null)?.lost('it fell out')
    leave()
    openNotebook('other.ts')
    await idle()
    expect(fake.asked).toEqual(['train block'])
    expect(phase('block')).toBeUndefined()
  })

  it('gives up its values, and what has run there is not followed here', async () => {
    follow('other.ts')
    await ran('use')
    const before = fake.started
    leave()
    openNotebook('other.ts')
    await idle()
    expect(fake.started).toBe(before + 1)
    fake.asked.length = 0
    await ran('block')
    expect(fake.asked).toEqual(['train block'])
  })

  it('leaves a kernel that outlives the page as it is', async () => {
    const finish = holding('block')
    runCells(['block'])
    await running('block')
    const left: string[] = []
    const before = fake.started
    useKernel.setState({ kept: { leave: (reason: string) => void left.push(reason) } as never })
    leave()
    useKernel.setState({ kept: null })
    openNotebook('other.ts')
    finish()
    await idle()
    expect(left).toEqual(['the notebook was closed'])
    expect(fake.started).toBe(before)
    expect([phase('block'), written]).toEqual([undefined, []])
  })

  it('frees the cells that it started, for whoever goes on with them', async () => {
    holding('study', {}, (page) => plan(page, 'study'))
    runAll()
    await expect.poll(() => started).toEqual(['keep study s', 'keep use '])
    leave()
    openNotebook('other.ts')
    await idle()
    expect(persistsAny()).toBe(false)
    await askAfterPending(async () => {})
    expect(started.slice(2)).toEqual(['free study', 'free use'])
  })
})

describe('what is started', () => {
  const cell = {
    notebook: 'test.ts',
    cell: 'use',
    source: '',
    fingerprint: '',
    plans: {},
    backend: null,
    atOnce: null,
    at: 0,
  }

  it.each([
    ['ends', () => endPersisted('use')],
    ['is freed', () => releasePersisted()],
  ])('makes an answer of before old when it %s', async (_, change) => {
    noteTaken(cell as never)
    let answer = (_: string) => {}
    const asked = askAfterPending(() => new Promise<string>((resolve) => (answer = resolve)))
    await Promise.resolve()
    change()
    answer('old')
    expect(await asked).toBeNull()
    expect(await askAfterPending(async () => 'new')).toBe('new')
  })

  it('has ended when it was interrupted, with what waited for it', async () => {
    const finish = holding('study', { interrupted: true }, (page) => plan(page, 'study'))
    runAll()
    await expect.poll(() => started).toEqual(['keep study s', 'keep use '])
    interrupt()
    finish()
    await settled('study', 'use')
    await askAfterPending(async () => {})
    expect(started.slice(2)).toEqual(['end use', 'end study'])
    expect(persistsAny()).toBe(false)
  })

  it('has ended when it only followed', async () => {
    follow('test.ts')
    openNotebook('test.ts', `${NOTEBOOK}\n// %% side\nexport const side = block\n`)
    await ran('side')
    await ran('study')
    // side follows block and waits while study is planned
    fake.answer = async ({ id }, page) => {
      if (id === 'study') plan(page, 'study')
      return {}
    }
    await ran('block', 'study')
    await askAfterPending(async () => {})
    expect(started).toContain('keep side ')
    expect(started.filter((told) => told === 'end side')).toHaveLength(1)
    expect(persistsAny()).toBe(false)
  })
})

describe('a cell that is interrupted', () => {
  it('is followed by none', async () => {
    follow('test.ts')
    await ran('use')
    edit('block = 1', 'block = 2')
    fake.asked.length = 0
    const finish = holding('block', { interrupted: true })
    runCells(['block'])
    await running('block')
    interrupt()
    finish()
    await idle()
    expect(fake.asked).toEqual(['train block'])
  })

  it('is not run where only what it depends on was in progress', async () => {
    const finish = holding('block')
    runCells(['study'])
    await running('block')
    interrupt()
    finish()
    await idle()
    expect(fake.asked).toEqual(['evaluate block'])
    expect(phase('study')).toBe('idle')
  })

  it('and cut off with its kernel has not run: it follows none', async () => {
    follow('test.ts')
    await ran('study')
    holding('use')
    runCells(['use'])
    await running('use')
    restart()
    await settled('use')
    fake.answer = async () => ({})
    fake.asked.length = 0
    await ran('study')
    await idle()
    expect(fake.asked).toEqual(['evaluate block', 'train study'])
  })
})

describe('a cell that is asked for', () => {
  it('while it is in progress, or waits, runs once; one cell runs at a time', async () => {
    const finish = holding('block')
    runCells(['block'])
    await running('block')
    for (let time = 0; time < 2; time++) runCells(['block', 'study'])
    expect([phase('block'), phase('study')]).toEqual(['running', 'queued'])
    finish()
    await settled('block', 'study')
    expect(fake.asked).toEqual(['train block', 'train study'])
  })

  it('is trained, also where it was about to follow, or has followed', async () => {
    follow('test.ts')
    await ran('use')
    const ask = async () => {
      const finish = holding('study')
      fake.asked.length = 0
      runCells(['block'])
      await running('study')
      runCells(['use'])
      finish()
      await settled('block', 'study', 'use')
      return fake.asked.splice(0)
    }
    expect(await ask()).toEqual(['train block', 'evaluate study', 'train use'])
    fake.answer = async () => ({})
    await ran('block')
    fake.asked.length = 0
    await ran('use')
    expect(fake.asked).toEqual(['train use'])
  })

  it('runs after what had failed and has run again since', async () => {
    openNotebook('test.ts', `${NOTEBOOK}\n// %% side\nexport const side = 1\n`)
    const finish = holding('side')
    const { answer } = fake
    const error = { code: 'notebook' as const, path: '', message: 'wrong', line: 1 }
    let failures = 1
    fake.answer = (request, page) =>
      request.id === 'block' && failures-- > 0 ? Promise.resolve({ error }) : answer(request, page)
    runCells(['block', 'side'])
    await running('side')
    expect(phase('block')).toBe('failed')
    runCells(['study', 'block'])
    finish()
    await settled('block', 'study', 'side')
    expect([phase('block'), phase('study')]).toEqual(['done', 'done'])
  })
})
