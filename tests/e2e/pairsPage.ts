import * as tf from '@tensorflow/tfjs'
import { namesOfExports } from '../engine/notebook/closures/names.ts'
import { wrongPair } from '../engine/study/pairs/wrong.ts'

// The page of pairs.test.ts.

await tf.setBackend('cpu')
Object.assign(globalThis, { namesOfExports, wrongPair })
