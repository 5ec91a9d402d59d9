import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { keepWindowState, readWindowState } from '../../../../app/electron/windows/state.ts'
import { freshFolder } from '../../store/samples.ts'
import { BrowserWindow } from '../fake-electron.ts'

vi.mock('electron', () => import('../fake-electron.ts'))

const left = { x: 0, y: 25, width: 1920, height: 1055 }
const right = { x: 1920, y: 0, width: 1280, height: 1024 }
const initial = { bounds: { width: 1280, height: 860 }, maximized: false }

let file: string
beforeEach(() => {
  file = join(freshFolder(), 'window.json')
})

function read(bounds: unknown, displays = [left, right]) {
  writeFileSync(file, JSON.stringify({ bounds, maximized: false }))
  return readWindowState(file, displays)
}

it('comes back as it was closed', () => {
  const window = new BrowserWindow()
  window.maximized = true
  keepWindowState(window.real, file)
  expect(existsSync(file)).toBe(false)
  window.emit('close')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ bounds: window.bounds, maximized: true })
  expect(readWindowState(file, [{ ...left, y: 0 }])).toEqual({ bounds: window.bounds, maximized: true })
})

it('closes even if its state cannot be kept', () => {
  const window = new BrowserWindow()
  keepWindowState(window.real, join(file, 'impossible'))
  expect(() => window.emit('close')).not.toThrow()
})

describe('readWindowState', () => {
  it('starts with the initial state', () => {
    expect(readWindowState(file, [left])).toEqual(initial)
  })

  it('accepts windows that reach over the edge or stand on the second display', () => {
    for (const bounds of [
      { x: -600, y: 100, width: 800, height: 600 },
      { x: 1800, y: 100, width: 800, height: 600 },
      { x: 2000, y: 0, width: 800, height: 2000 },
    ])
      expect(read(bounds).bounds).toEqual(bounds)
  })

  it('brings back windows whose title bar is out of reach', () => {
    for (const bounds of [
      { x: -790, y: 100, width: 800, height: 600 },
      { x: 100, y: 0, width: 800, height: 600 },
      { x: 100, y: 1075, width: 800, height: 600 },
      { x: 5000, y: 100, width: 800, height: 600 },
    ])
      expect(read(bounds)).toEqual(initial)
    expect(read({ x: 2000, y: 100, width: 800, height: 600 }, [left])).toEqual(initial)
  })

  it.each([
    null,
    'full',
    {},
    { width: 800, height: 600 },
    { x: '0', y: 0, width: 800, height: 600 },
    { x: 0.5, y: 30, width: 800, height: 600 },
    { x: 0, y: 30, width: 10, height: 600 },
    { x: 0, y: 30, width: -800, height: 600 },
  ])('does not trust the bounds %j', (bounds) => {
    expect(read(bounds)).toEqual(initial)
  })

  it.each(['', '{', 'null', '[]'])('does not trust a file with %j', (text) => {
    writeFileSync(file, text)
    expect(readWindowState(file, [left])).toEqual(initial)
  })
})
