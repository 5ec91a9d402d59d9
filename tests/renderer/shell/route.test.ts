import { describe, expect, it } from 'vitest'
import { notebookHash, parseRoute } from '../../../renderer/shell/route.ts'

describe('parseRoute', () => {
  it('reads back what notebookHash writes', () => {
    for (const name of ['first.ts', 'a folder/ä & b.ts', '100%.ts']) {
      expect(parseRoute(notebookHash(name))).toEqual({ view: 'notebook', name })
    }
  })

  it('knows the runs, and shows a notebook for anything else', () => {
    expect(parseRoute('#/runs')).toEqual({ view: 'runs' })
    for (const hash of ['', '#', '#/nowhere', '#/notebook/', '#/notebook/%E0%A4%A']) {
      expect(parseRoute(hash)).toEqual({ view: 'notebook', name: null })
    }
  })
})
