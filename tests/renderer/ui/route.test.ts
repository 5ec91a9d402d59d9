import { describe, expect, it } from 'vitest'
import {
  compareHash,
  DATA_HASH,
  dataHash,
  documentHash,
  MACHINES_HASH,
  notebookHash,
  PAPERS_HASH,
  parseRoute,
  runHash,
  runsHash,
  START_HASH,
} from '../../../renderer/ui/route.ts'

describe('parseRoute', () => {
  it('reads back what the makers of addresses write', () => {
    for (const name of ['first.ts', 'a folder/ä & b.ts', '100%.ts']) {
      expect(parseRoute(notebookHash(name))).toEqual({ view: 'notebook', name })
    }
    for (const filter of ['', 'study:a/b lr<1e-3 tag:"to keep"']) {
      expect(parseRoute(runsHash(filter))).toEqual({ view: 'runs', filter })
    }
    expect(parseRoute(runHash(12))).toEqual({ view: 'run', reference: '12' })
    expect(parseRoute(runHash('gating/gmlp/1'))).toEqual({ view: 'run', reference: 'gating/gmlp/1' })
    expect(parseRoute(compareHash([12, 15, 'study:a, b/c']))).toEqual({
      view: 'compare',
      items: ['12', '15', 'study:a, b/c'],
    })
  })

  it('compares nothing, and nothing twice', () => {
    expect(parseRoute('#/compare')).toEqual({ view: 'compare', items: [] })
    expect(parseRoute('#/compare/')).toEqual({ view: 'compare', items: [] })
    expect(parseRoute('#/compare/1,2,1,,')).toEqual({ view: 'compare', items: ['1', '2'] })
  })

  it('finds documents, and sections of them', () => {
    expect(parseRoute(DATA_HASH)).toEqual({ view: 'data', of: '', task: '' })
    const call = "folder({ path: 'data/a', size: 8 })"
    expect(parseRoute(dataHash(call))).toEqual({ view: 'data', of: call, task: '' })
    expect(parseRoute(dataHash('world()', 'pair'))).toEqual({ view: 'data', of: 'world()', task: 'pair' })
    expect(parseRoute(START_HASH)).toEqual({ view: 'start' })
    expect(parseRoute(PAPERS_HASH)).toEqual({ view: 'papers' })
    expect(parseRoute(MACHINES_HASH)).toEqual({ view: 'machines' })
    expect(parseRoute(documentHash())).toEqual({ view: 'documents', name: '', section: '' })
    expect(parseRoute(documentHash('data', 'a-b'))).toEqual({ view: 'documents', name: 'data', section: 'a-b' })
  })

  it('shows a notebook for anything else', () => {
    for (const hash of ['', '#', '#/nowhere', '#/notebook/', '#/notebook/%E0%A4%A', '#/run', '#/run/']) {
      expect(parseRoute(hash)).toEqual({ view: 'notebook', name: null })
    }
  })
})
