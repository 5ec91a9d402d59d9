import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { EMPTY, setCellState, useNotebook } from '../../../renderer/session/state.ts'
import { revealStartedCell, watchUserFocus } from '../../../renderer/session/userFocus.ts'

class FakeElement {
  shown = false
  page: boolean
  constructor(page = false) {
    this.page = page
  }
  matches = () => this.page
  closest = () => ({ getBoundingClientRect: () => ({ top: 0, bottom: 500 }) })
  getBoundingClientRect = () => ({ top: 900, bottom: 1300 })
  scrollIntoView = () => {
    this.shown = true
  }
}

const listeners = new Map<string, (event: object) => void>()
beforeAll(() => {
  vi.stubGlobal('Element', FakeElement)
  vi.stubGlobal('window', { addEventListener: (type: string, act: () => void) => listeners.set(type, act) })
  watchUserFocus()
})
beforeEach(() => useNotebook.setState(EMPTY))

/** Whether a study that begins comes into view after these events. */
function comes(...events: [type: string, event?: object][]): boolean {
  setCellState('a', { phase: 'queued' })
  setCellState('a', { phase: 'running' })
  for (const [type, event = {}] of events) listeners.get(type)?.(event)
  const element = new FakeElement()
  revealStartedCell(element as unknown as Element)
  return element.shown
}

it('what begins comes into view, also after the keys that run cells', () => {
  listeners.get('wheel')?.({}) // before
  expect(comes()).toBe(true)
  useNotebook.setState(EMPTY)
  expect(comes(['keydown', { key: 'Shift' }], ['keydown', { key: 'Enter' }])).toBe(true)
})

it.each([
  ['wheel', {}],
  ['touchmove', {}],
  ['keydown', { key: 'PageDown' }],
  ['keydown', { key: 'x' }],
  ['pointerdown', { target: new FakeElement(true) }],
])('it does not after %s %j', (type, event) => {
  expect(comes([type, event])).toBe(false)
})
