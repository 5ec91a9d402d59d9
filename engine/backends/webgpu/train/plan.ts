import type { RecordedBatch } from '../../../compile/recordedBatch.ts'
import { GRADIENT, LOSS, PARAMETER, type TrainableParameter, type Update } from '../../../compile/training.ts'
import { messageOf } from '../../../errors.ts'
import type { Limits } from '../pages.ts'
import { addTable, type Plan, planOf, type Region, type Reserve } from '../plan.ts'
import { BLOCK, LINE, lineCount, linesOf, type Placed, SLOTS, visitLine } from './lines.ts'
import { type Move, moves, movesTableSize } from './moves.ts'
import { batchPart, PART_FLOATS } from './parts.ts'
import { updates } from './update.ts'

/** A graph of a loss and its gradients, and the update that follows. */
export interface TrainingPlan extends Plan {
  /** So many parts of a batch are computed one after the other, for the memory of one. */
  parts: number
  /** So many dispatches are done for each part; the others once, at the end. */
  each: number
  /** Where what belongs to a parameter is, in the order of the parameters. */
  placed: Placed[]
  /** Where loss and global norm of an update are. */
  loss: Region
  norm: Region
}

/** Trainees without their variables: enough for a plan. */
export type PlannedParameter = Pick<TrainableParameter, 'name' | 'trained' | 'decay' | 'scale'>

const floats = (size: number): Reserve => ({ memory: 'floats', size })
const ints = (size: number): Reserve => ({ memory: 'ints', size })

/**
 * The dispatches of a training step; a batch whose values take more than `most` elements is taken in parts, in `least` at
 * least. Parameters, what is
 * remembered of them, and averages have places that stay. Null where the batch has to be recorded with all its examples.
 */
export function trainingPlan(
  recorded: RecordedBatch,
  trainees: PlannedParameter[],
  update: Update,
  {
    most = PART_FLOATS,
    least = 1,
    limits,
  }: { most?: number | undefined; least?: number | undefined; limits?: Limits } = {},
): TrainingPlan | null {
  const { graph } = recorded
  const sizes = trainees.map(({ name }) => {
    return (graph.inputs[PARAMETER + name]?.shape ?? []).reduce((size, length) => size * length, 1)
  })
  const lines = lineCount(sizes)
  const found = batchPart(recorded, most, least)
  if (!found) return null
  const { lowered, parts, refused } = found
  const isInParts = update.parts * parts > 1
  const slots = SLOTS[update.kernel]
  const size = (i: number) => sizes[i] as number
  const trained = trainees.map((each) => each.trained)
  const assigned = trainees.map(({ name }) => PARAMETER + name in graph.outputs)
  const summed = isInParts ? sizes.filter((_, i) => trained[i]) : []
  const moved = [...summed, ...sizes.filter((_, i) => assigned[i]), ...(isInParts ? [1] : [])]
  const state = trainees.flatMap((_, i) => [
    ...(trained[i] ? Array<Reserve>(slots).fill(floats(size(i))) : []),
    ...(update.average !== null ? [floats(size(i))] : []),
    ...(trained[i] && isInParts ? [floats(size(i))] : []),
  ])
  const scratch = floats(update.kernel === 'LambUpdate' ? lines * BLOCK : 1)
  const own = [floats(1), floats(1), floats(3 * lines), scratch, ints(lines * LINE), ints(movesTableSize(moved))]
  const planned = (reserves: Reserve[]): Plan => {
    try {
      return planOf(lowered, reserves, limits)
    } catch (error) {
      if (!refused) throw error
      throw new Error(`${messageOf(error)}, and the batch cannot be taken in parts: ${refused}`)
    }
  }
  const plan = planned([...own, ...state])
  const [loss, norm, squares, changes, table, moveTable, ...rest] = plan.reserved as [
    ...[Region, Region, Region, Region, Region, Region],
    ...Region[],
  ]
  const next = () => (rest.shift() as Region).offset
  const all: Move[] = []
  const placed = trainees.map((trainee, i): Placed => {
    const value = plan.inputs[PARAMETER + trainee.name]?.offset as number
    const memory = trainee.trained ? Array.from({ length: slots }, next) : []
    const average = update.average !== null ? next() : 0
    const output = plan.outputs[GRADIENT + trainee.name]?.offset as number
    const gradient = trainee.trained && isInParts ? next() : output
    if (trainee.trained && isInParts) all.push({ from: output, to: gradient, size: size(i), adds: true })
    const found = plan.outputs[PARAMETER + trainee.name]
    if (found) all.push({ from: found.offset, to: value, size: size(i), adds: false })
    return { trainee, size: size(i), value, memory, average, gradient: gradient ?? 0 }
  })
  const ownLoss = plan.outputs[LOSS] as Region
  if (isInParts) all.push({ from: ownLoss.offset, to: loss.offset, size: 1, adds: true })

  if (all.length > 0) {
    const table = moves(all)
    addTable(plan, table, [table], moveTable)
  }
  const each = plan.dispatches.length
  const blocks = { width: LINE, values: linesOf(placed, changes.offset), visit: visitLine, also: [squares, norm] }
  addTable(plan, blocks, updates(update, lines), table)
  return { ...plan, parts, each, placed, loss: isInParts ? loss : ownLoss, norm }
}
