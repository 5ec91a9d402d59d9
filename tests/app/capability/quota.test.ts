import { expect, it } from 'vitest'
import { openUsage } from '../../../app/capability/quota.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { writeSafetensors } from '../../../engine/weights/safetensors.ts'

const file = (count: number) => writeSafetensors([{ name: 'w', shape: [count], values: new Float32Array(count) }])
const checkpoint = (step: number, count: number): TrainEvent => ({ type: 'checkpoint', step, weights: file(count) })
const snapshot = (step: number): TrainEvent => ({ type: 'snapshot', step, weights: file(100) })
const TOO_MUCH = { code: 'permission', message: expect.stringContaining('more than 2000 bytes') }
const caught = (work: () => void) => {
  try {
    work()
  } catch (error) {
    return error
  }
  return null
}

it('counts what stays: checkpoints take the place of earlier ones, snapshots add up', () => {
  const usage = openUsage({ runs: 2, bytes: 2000 })
  for (let step = 0; step < 50; step++) usage.addEvents(1, [checkpoint(step, 100)])
  for (let step = 0; step < 3; step++) usage.addEvents(1, [snapshot(step)])
  expect(caught(() => usage.addEvents(1, [snapshot(3)]))).toMatchObject(TOO_MUCH)
  usage.addEvents(1, [checkpoint(51, 10)]) // a smaller one makes room
  expect(caught(() => usage.addEvents(2, [checkpoint(0, 300)]))).toMatchObject(TOO_MUCH)
})

it('counts runs, points, texts and what they say', () => {
  const usage = openUsage({ runs: 2, bytes: 2000 })
  usage.addRun()
  usage.addRun()
  expect(() => usage.addRun()).toThrow('runs: more than 2 of one cell')
  const metric: TrainEvent = { type: 'metric', step: 1, name: 'loss', value: 1 }
  expect(caught(() => usage.addEvents(1, Array(101).fill(metric)))).toMatchObject(TOO_MUCH)
  expect(caught(() => usage.addEvents(1, [{ ...metric, name: 'a'.repeat(2000) }]))).toMatchObject(TOO_MUCH)
  expect(caught(() => usage.addEvents(1, [{ type: 'failed', step: 1, message: 'a'.repeat(2001) }]))).toMatchObject(
    TOO_MUCH,
  )
  expect(caught(() => usage.addText({ long: 'a'.repeat(2000) }))).toMatchObject(TOO_MUCH)
  usage.addEvents(1, Array(99).fill(metric)) // what was refused does not count
  usage.addText({})
})

it('refuses files that are no safetensors before any of a batch counts', () => {
  const usage = openUsage({ runs: 1, bytes: 2000 })
  const bad: TrainEvent = { type: 'snapshot', step: 1, weights: new Uint8Array(3) }
  for (let time = 0; time < 9; time++) expect(() => usage.addEvents(1, [checkpoint(0, 300), bad])).toThrow('too short')
  usage.addEvents(1, [checkpoint(0, 300)])
})
