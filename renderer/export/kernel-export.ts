// A worker that exports models, one for each export. Named so that it is served with the kernel's headers: cells run in it.
import * as tf from '@tensorflow/tfjs'
import { connect } from '../../engine/channel.ts'
import * as mixlab from '../../engine/index.ts'
import { startSimd } from '../kernel/device.ts'
import { removeForbiddenGlobals } from '../kernel/forbiddenGlobals.ts'
import type { ExporterCalls, ExporterPage } from '../protocol/export.ts'
import { workerChannel } from '../protocol/workerChannel.ts'
import { modelWriter } from './writer.ts'

/** The cores are for training. */
const THREADS = 1

Error.stackTraceLimit = 50 // as in the kernel

let started: Promise<void> | null = null
const calls: ExporterCalls = {
  async write(...given) {
    started ??= startSimd(THREADS)
    await started
    return writer.write(...given)
  },
  take: (...given) => writer.take(...given),
}
const { remote: page } = connect<ExporterPage, ExporterCalls>(calls, workerChannel(self))
const writer = modelWriter(page, { mixlab, '@tensorflow/tfjs': tf }, (progress) => void page.progress(progress))
removeForbiddenGlobals(self)

// What cells throw once they have ended is none of the export's.
addEventListener('error', (event) => event.preventDefault())
addEventListener('unhandledrejection', (event) => event.preventDefault())
