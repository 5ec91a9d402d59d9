import { version_core as tfjs } from '@tensorflow/tfjs-core'
import { NUMERICS } from './numerics.ts'

/** The machine and the program that train runs. */
export interface Machine {
  /** Version of Mixlab. */
  mixlab: string
  /** `node 24.2.0`, `Chromium 141.0.7390.54`. */
  runtime: string
  /** The operating system with its version, where that is known: `linux 6.8.0`, `macOS`. */
  platform: string
  /** `x64`, `arm`; '' where a browser does not say. */
  architecture: string
  /** Logical cores. */
  cores: number
  /** Threads to train with; runs at the same time share them. */
  threads: number
  /** The graphics adapter of WebGPU or WebGL, as it calls itself; left out where there is none. */
  adapter?: string
}

/** What a run was trained with, beside its backend and device. Nothing of it enters the run key. */
export interface Environment extends Machine {
  /** Version of tfjs. */
  tfjs: string
  /** Version of what decides the numbers of a run; see key.ts. */
  numerics: number
  /** What was timed to choose the backend, in words; left out where nothing was. */
  timed?: string
  /** What was said of its data before training, e.g. files that were passed over; left out where nothing was. */
  notices?: string
}

/** What a training step takes on a backend. */
export interface StepTime {
  name: string
  /** Milliseconds; null where it does not train. */
  ms: number | null
  /** Why it does not. */
  why?: string
}

/** What runs are trained with on a machine. */
export function environmentOn(machine: Machine, timed?: string): Environment {
  return { ...machine, tfjs, numerics: NUMERICS, ...(timed && { timed }) }
}
