// The script of a demo: a page with a trained model in it, opened from disk or anywhere, which asks for nothing.
import * as tf from '@tensorflow/tfjs'
import { createRoot } from 'react-dom/client'
import { registerSimd } from '../../engine/backends/simd/register.ts'
import { bytesOfBase64 } from '../../engine/data/base64.ts'
import { BESIDE_ELEMENT, MODEL_ELEMENT } from '../../engine/export/formats/demo.ts'
import * as mixlab from '../../engine/index.ts'
import { readBeside } from '../../engine/predict/demo.ts'
import { descriptionOf, modelOfFile } from '../../engine/predict/file.ts'
import { refuseStrayFiles } from '../ui/strayFiles.ts'
import { DemoPage } from './DemoPage.tsx'
import './styles.ts'

refuseStrayFiles()
const textOf = (id: string) => document.getElementById(id)?.textContent ?? ''
const file = bytesOfBase64(textOf(MODEL_ELEMENT))
const { title } = document

/** Made when something is asked first, so that the page is there at once. */
let model: ReturnType<typeof modelOfFile> | null = null
async function modelHere() {
  registerSimd({ threads: 1, spawn: () => Promise.reject(new Error('a demo has one thread')) })
  await tf.setBackend('simd')
  return modelOfFile(file, title, { mixlab, '@tensorflow/tfjs': tf })
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <DemoPage
    title={title}
    about={descriptionOf(file, title)}
    beside={readBeside(textOf(BESIDE_ELEMENT))}
    open={() => {
      model ??= modelHere()
      return model
    }}
  />,
)
