import type { FileSource } from '../../engine/data/files.ts'
import { MixlabError } from '../../engine/errors.ts'
import { archive } from '../../engine/export/archive.ts'
import { exportRun } from '../../engine/export/export.ts'
import { FORMATS, type FormatName } from '../../engine/export/formats/known.ts'
import type { Written } from '../../engine/export/formats/types.ts'
import type { ExportProgress } from '../../engine/export/progress.ts'
import type { Modules } from '../../engine/notebook/modules.ts'
import { besideOf } from '../../engine/predict/demo.ts'
import type { ExporterCalls } from '../protocol/export.ts'

/** Writes models one after the other and holds their files until they are taken. `files` are those of the user's data. */
export function modelWriter(
  files: FileSource,
  modules: Modules,
  onProgress: (progress: ExportProgress) => void,
): ExporterCalls {
  const held = new Map<string, { written: Written; format: FormatName }>()
  return {
    async write(run, weights, options) {
      const { files: written, ...told } = await exportRun(run, weights, files, modules, {
        ...options,
        besideOf,
        onProgress,
      })
      held.set(options.name, { written, format: options.format })
      return told
    },
    async take(several, cards) {
      const [first] = held
      if (!first) throw new MixlabError('weights', '', 'nothing was exported')
      const [alone, { written, format }] = first
      const card = `${FORMATS[format].ending}.md`
      const [file, ...beside] = Object.entries(written).filter(([ending]) => cards || ending !== card)
      if (held.size === 1 && file && beside.length === 0) return { name: alone + file[0], bytes: file[1] }
      const bytes = archive(new Map([...held].map(([name, { written }]) => [name, written])))
      return { name: `${held.size === 1 ? `${alone}-${format}` : several}.zip`, bytes }
    },
  }
}
