import { describe, expect, it } from 'vitest'
import type { Page } from '../../../engine/runs/types.ts'
import { type Listing, openWindows, WINDOW } from '../../../renderer/runs/windows.ts'

/** A host that answers when it is told to. */
function fakeHost() {
  const asked: { offset: number; answer(page: Page<string>): Promise<void>; refuse(message: string): Promise<void> }[] =
    []
  const ask = (offset: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<Page<string>>()
    // Two turns: that of the answer, and that of whoever waits for it.
    const settled = async () => {
      await promise.catch(() => {})
      await Promise.resolve()
    }
    asked.push({
      offset,
      answer(page) {
        resolve(page)
        return settled()
      },
      refuse(message) {
        reject(new Error(message))
        return settled()
      },
    })
    return promise
  }
  return { asked, ask }
}

const rows = (name: string, count = WINDOW) => Array.from({ length: count }, (_, i) => `${name}${i}`)

function opened() {
  const told: Listing<string>[] = []
  const windows = openWindows<string>((listing) => told.push({ ...listing }))
  const now = () => {
    const listing = told.at(-1)
    return [listing?.total, listing?.row(0), listing?.row(WINDOW), listing?.error]
  }
  return { windows, told, now, ...fakeHost() }
}

/** With the first 100 of 250 rows, and now looking at the second 100. */
async function scrolled() {
  const all = opened()
  const { windows, asked, ask } = all
  windows.ask(ask)
  await asked[0]?.answer({ total: 250, rows: rows('a') })
  windows.see(120, 140)
  await asked[1]?.answer({ total: 250, rows: rows('b') })
  return all
}

describe('openWindows', () => {
  it('fetches the windows that are seen, once', async () => {
    const { windows, asked, ask, now } = opened()
    windows.ask(ask)
    windows.see(0, 20)
    expect(asked.map(({ offset }) => offset)).toEqual([0])
    await asked[0]?.answer({ total: 250, rows: rows('a') })
    expect(now()).toEqual([250, 'a0', undefined, null])
    windows.see(90, 110)
    windows.see(95, 115)
    expect(asked.map(({ offset }) => offset)).toEqual([0, 100])
    await asked[1]?.answer({ total: 250, rows: rows('b') })
    expect(now()).toEqual([250, 'a0', 'b0', null])
    windows.see(90, 400)
    expect(asked.map(({ offset }) => offset)).toEqual([0, 100, 200])
  })

  it('asks again what was being asked when the store changed', async () => {
    const { windows, asked, ask, now } = opened()
    windows.ask(ask)
    windows.refresh()
    windows.refresh()
    expect(asked).toHaveLength(1)
    await asked[0]?.answer({ total: 100, rows: rows('before') })
    expect(asked).toHaveLength(2)
    await asked[1]?.answer({ total: 100, rows: rows('after') })
    expect([now()[1], asked.length]).toEqual(['after0', 2])
    windows.refresh()
    windows.refresh()
    windows.ask(ask) // another question, which is asked after the change
    await asked[2]?.answer({ total: 100, rows: rows('late') })
    expect(asked).toHaveLength(4)
  })

  it('keeps the rows until the next question is answered, and hears no late answers', async () => {
    const { windows, asked, ask, now } = opened()
    windows.ask(ask)
    await asked[0]?.answer({ total: 100, rows: rows('a') })
    windows.ask(ask)
    windows.ask(ask)
    expect(now()).toEqual([100, 'a0', undefined, null])
    await asked[2]?.answer({ total: 1, rows: rows('c', 1) })
    await asked[1]?.answer({ total: 2, rows: rows('b', 2) })
    expect(now()).toEqual([1, 'c0', undefined, null])
  })

  it('keeps the rows where a question is refused', async () => {
    const { windows, asked, ask, now } = opened()
    windows.ask(ask)
    await asked[0]?.answer({ total: 100, rows: rows('a') })
    windows.ask(ask)
    await asked[1]?.refuse('lr<: a value is missing')
    expect(now()).toEqual([100, 'a0', undefined, 'lr<: a value is missing'])
    windows.ask(ask)
    await asked[2]?.answer({ total: 100, rows: rows('b') })
    expect(now()).toEqual([100, 'b0', undefined, null])
  })

  it('fetches anew what is seen, and forgets the rest', async () => {
    const { windows, asked, now } = await scrolled()
    windows.refresh()
    windows.refresh()
    expect(asked.map(({ offset }) => offset)).toEqual([0, 100, 100])
    await asked[2]?.answer({ total: 251, rows: rows('c') })
    expect(now()).toEqual([251, undefined, 'c0', null])
  })

  it('goes back to the beginning of a list that became short', async () => {
    const { windows, asked, ask, now } = await scrolled()
    windows.ask(ask)
    await asked[2]?.answer({ total: 5, rows: [] })
    await asked[3]?.answer({ total: 5, rows: rows('c', 5) })
    expect(asked.map(({ offset }) => offset)).toEqual([0, 100, 100, 0])
    expect(now()).toEqual([5, 'c0', undefined, null])
  })

  it('fetches what is seen when the question is answered, not when it was asked', async () => {
    const { windows, asked, ask, now } = await scrolled()
    windows.ask(ask)
    windows.see(0, 20)
    expect(asked.map(({ offset }) => offset)).toEqual([0, 100, 100, 0])
    await asked[3]?.answer({ total: 250, rows: rows('c') })
    expect(now()).toEqual([250, 'c0', undefined, null])
    await asked[2]?.answer({ total: 250, rows: rows('d') })
    expect(now()).toEqual([250, 'c0', 'd0', null])
  })

  it('asks no refused question again until it changes or is refreshed', async () => {
    const { windows, asked, ask } = opened()
    windows.ask(ask)
    await asked[0]?.refuse('no')
    windows.see(0, 20)
    expect(asked).toHaveLength(1)
    windows.refresh()
    expect(asked).toHaveLength(2)
  })

  it('says nothing once it is closed', async () => {
    const { windows, asked, ask, told } = opened()
    windows.ask(ask)
    windows.close()
    await asked[0]?.answer({ total: 1, rows: ['a'] })
    expect(told).toEqual([])
  })
})
