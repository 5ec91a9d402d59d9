import type { FileSource } from '../../engine/data/files.ts'
import { diagramOfModel, type ModelCode, type OpenTasks, studyModels } from '../../engine/diagram/study.ts'
import { MixlabError } from '../../engine/errors.ts'
import { createScope } from '../../engine/notebook/evaluate.ts'
import { dependenciesOf } from '../../engine/notebook/graph.ts'
import type { Modules } from '../../engine/notebook/modules.ts'
import type { Study } from '../../engine/study/compare.ts'
import { studiesIn } from '../../engine/study/studies.ts'
import { cellError } from '../protocol/error.ts'
import type { CellModels, CellRequest } from '../protocol/model.ts'

/** The models of cells, from one text of the notebook to the next. */
export interface ModelsOfCells {
  /** Evaluates those cells that have changed, silently; what they throw is in the answer. */
  read(request: CellRequest): Promise<CellModels>
  /** A model that was read last. Throws MixlabError where there is no such. */
  modelOf(study: string, variant: string): ModelCode
}

const silent = () => {}
const SILENT = { console: { debug: silent, log: silent, info: silent, warn: silent, error: silent }, display: silent }

/** Reads data through `files`; cells may import `modules`. */
export function cellModels(files: FileSource, modules: Modules): ModelsOfCells {
  const scope = createScope(modules)
  const open: OpenTasks = new Map()
  /** What each cell was evaluated as, and the studies that it gave. */
  const evaluated = new Map<string, { fingerprint: string; studies: Study[] }>()
  let models = new Map<string, ModelCode[]>()

  async function evaluate({ cells, facts, id }: CellRequest): Promise<Study[]> {
    const fingerprint = facts.cells.find((cell) => cell.id === id)?.fingerprint ?? ''
    const known = evaluated.get(id)
    if (known && known.fingerprint === fingerprint) return known.studies
    evaluated.delete(id)
    const { value, defined } = await scope.evaluate(cells, facts, id, SILENT)
    const studies = studiesIn([value, ...Object.values(defined)])
    evaluated.set(id, { fingerprint, studies })
    return studies
  }

  /** The studies of a cell, after all cells that it depends on. Throws `FailedIn`. */
  async function studiesOf(request: CellRequest): Promise<Study[]> {
    const needed = dependenciesOf(request.facts, request.id)
    for (const id of [
      ...request.facts.order.filter((other) => needed.has(other) && other !== request.id),
      request.id,
    ]) {
      try {
        const studies = await evaluate({ ...request, id })
        if (id === request.id) return studies
      } catch (error) {
        throw new FailedIn(id, error)
      }
    }
    return []
  }

  return {
    async read(request) {
      const { facts, id } = request
      const ids = new Set(facts.cells.map((cell) => cell.id))
      for (const gone of [...evaluated.keys()].filter((known) => !ids.has(known))) evaluated.delete(gone)
      const users = facts.order.filter((other) => other !== id && dependenciesOf(facts, other).has(id))
      try {
        for (const cell of [id, ...users]) {
          const studies = await studiesOf({ ...request, id: cell })
          if (studies.length === 0) continue
          const found: CellModels = { cell, studies: [], error: null }
          const read = new Map<string, ModelCode[]>()
          for (const study of studies) {
            const own = await studyModels(study, files, open).catch((error) => {
              throw new FailedIn(cell, error)
            })
            read.set(study.name, own)
            const diagrams = []
            for (const model of own) diagrams.push(await diagramOfModel(model))
            found.studies.push({ study: study.name, diagrams })
          }
          models = read
          return found
        }
        return { cell: null, studies: [], error: null }
      } catch (failed) {
        if (!(failed instanceof FailedIn)) throw failed
        const { cell, cause } = failed
        return { cell: null, studies: [], error: { cell, error: cellError(cause, cell) } }
      }
    },
    modelOf(study, variant) {
      const found = models.get(study)?.find(({ name }) => name === variant)
      if (found) return found
      throw new MixlabError('option', variant, `no such variant of '${study}'`)
    },
  }
}

/** What a cell threw. */
class FailedIn extends Error {
  readonly cell: string

  constructor(cell: string, cause: unknown) {
    super(`cell ${cell} failed`, { cause })
    this.cell = cell
  }
}
