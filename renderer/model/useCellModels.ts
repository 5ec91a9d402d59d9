import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../engine/errors.ts'
import type { CellModels } from '../protocol/model.ts'
import { analyzed } from '../session/analyzed.ts'
import { plainCells } from '../session/edit.ts'
import { useNotebook } from '../session/state.ts'
import { askModeller } from './worker.ts'

/** How long the user has to pause before the code is read, in ms. */
const PAUSE = 300

interface LiveModels {
  /** The last ones that could be read; null before. */
  models: CellModels | null
  /** Why those of the text as it is now cannot be read. */
  failed: string | null
  busy: boolean
}

/** The models of a cell, read again once what it says, or what it depends on, has changed. */
export function useCellModels(id: string): LiveModels {
  const texts = useNotebook(({ facts }) => facts)
  const key = texts.cells.map((cell) => `${cell.id} ${cell.fingerprint} ${cell.error ?? ''}`).join('\n')
  const [read, setRead] = useState<LiveModels>({ models: null, failed: null, busy: true })
  const latest = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fingerprints say what is asked
  useEffect(() => {
    const turn = ++latest.current
    const isLatest = () => turn === latest.current
    const timer = setTimeout(async () => {
      setRead((before) => ({ ...before, busy: true }))
      try {
        await analyzed()
        if (!isLatest()) return
        const { cells, facts } = useNotebook.getState()
        const models = await askModeller((modeller) => modeller.ofCell({ cells: plainCells(cells), facts, id }))
        if (!isLatest()) return
        const { error } = models
        if (!error) setRead({ models, failed: null, busy: false })
        else {
          const { line, message } = error.error
          const where = line === null ? error.cell : `${error.cell}:${line}`
          setRead((before) => ({ ...before, failed: `${where}: ${message}`, busy: false }))
        }
      } catch (error) {
        if (isLatest()) setRead((before) => ({ ...before, failed: messageOf(error), busy: false }))
      }
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      latest.current++
    }
  }, [id, key])
  return read
}
