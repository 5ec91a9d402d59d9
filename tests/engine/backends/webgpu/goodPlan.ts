import { expect } from 'vitest'
import type { Pages } from '../../../../engine/backends/webgpu/pages.ts'
import { pipelinesOf } from '../../../../engine/backends/webgpu/pipelines.ts'
import type { Plan } from '../../../../engine/backends/webgpu/plan.ts'
import { nullCard } from './cards.ts'

/** Fails where a place is outside of the memories, or a card that checks everything refuses a shader. */
export async function expectGoodPlan(plan: Plan): Promise<void> {
  const regions = [...Object.values(plan.inputs), ...Object.values(plan.outputs), ...plan.reserved]
  for (const { memory, offset, size } of [...regions, ...plan.constants.map(({ region }) => region)]) {
    expect(offset + size).toBeLessThanOrEqual(plan[memory])
  }
  for (const { workgroups, window } of plan.dispatches) {
    expect(Math.max(...workgroups)).toBeLessThanOrEqual(65535)
    expect(window.every((page) => page < plan.pages.count) && window.length === plan.pages.seen).toBe(true)
  }
  await expectGoodShaders(plan.shaders, plan.pages)
  if (plan.pages.count === plan.pages.seen) await expectGoodShaders(plan.shaders, plan.pages, 6) // as lanes of a program
}

/** Fails where a card that checks everything refuses a shader. */
export async function expectGoodShaders(shaders: string[], pages: Pages, lanes = 1): Promise<void> {
  if (typeof nullCard === 'string') return
  const { device } = nullCard
  device.pushErrorScope('validation')
  pipelinesOf(device, shaders, pages, lanes)
  expect((await device.popErrorScope())?.message ?? '').toBe('')
}
