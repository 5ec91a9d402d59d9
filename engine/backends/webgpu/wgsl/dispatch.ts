import type { Place } from './shader.ts'

/** A shader, how many workgroups run it, and their uniforms. */
export interface Dispatch {
  /** For people, e.g. `BatchMatMul 4096x512x128`. */
  label: string
  code: string
  /** Floating-point operations of a product of matrices. */
  operations?: number
  workgroups: [number, number, number]
  places: Place[]
}

/** The most workgroups along an axis. */
const MAX_WORKGROUPS = 65535

/** So many workgroups in a grid, and their number in WGSL. */
export function grid(count: number): { workgroups: [number, number, number]; number: string } {
  const across = Math.min(count, MAX_WORKGROUPS)
  const down = Math.ceil(count / across)
  return { workgroups: [across, down, 1], number: down === 1 ? 'group.x' : `(group.y * ${across}u + group.x)` }
}
