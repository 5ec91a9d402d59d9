import * as tf from '@tensorflow/tfjs'
import { wrongPair } from '../engine/study/pairs/wrong.ts'

// The page of pairs.test.ts.

await tf.setBackend('cpu')
Object.assign(globalThis, { wrongPair })
