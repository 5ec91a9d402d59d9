import type { Entry } from '../entry.ts'
import { comparison } from './comparison.ts'
import { display } from './display.ts'
import { factors } from './factors.ts'
import { papers } from './papers.ts'
import { wall } from './wall.ts'
import { weights } from './weights.ts'

/** Every chart of the gallery, from top to bottom. */
export const entries: Entry[] = [...comparison, ...factors, ...wall, ...weights, ...display, ...papers]
