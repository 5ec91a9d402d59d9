import { z } from 'zod'

const text = z.string().optional().catch(undefined)
const object = z.record(z.string(), z.unknown()).catch({})

/** What is read of a Jupyter notebook; the rest may be anything, and so may what is read but decides nothing. */
export const jupyterNotebook = z.object({
  metadata: object,
  cells: z.array(
    z.object({
      cell_type: z.string().catch(''),
      source: z.union([z.string(), z.array(z.string())]).nullish(),
      metadata: object,
      attachments: object,
      outputs: z.array(z.unknown()).catch([]),
      level: z.int().min(1).max(6).catch(1),
    }),
  ),
})

/** What metadata say of the language of a notebook. */
export const languageMetadata = z.object({
  kernelspec: z.object({ language: text, name: text }).catch({}),
  language_info: z.object({ name: text }).catch({}),
})

/** What Visual Studio Code says of the language of a cell, where that is not the kernel's. */
export const vscodeMetadata = z.object({ languageId: text }).catch({})

export type JupyterCell = z.infer<typeof jupyterNotebook>['cells'][number]

/** What a cell showed, as nbformat 4 has it; `data` by media type. */
export type JupyterOutput =
  | { output_type: 'stream'; name: 'stdout' | 'stderr'; text: string[] }
  | { output_type: 'display_data'; data: Record<string, unknown>; metadata: Record<string, unknown> }
  | {
      output_type: 'execute_result'
      data: Record<string, unknown>
      metadata: Record<string, unknown>
      execution_count: null
    }
  | { output_type: 'error'; ename: string; evalue: string; traceback: string[] }

/** What we keep in the metadata of a cell, so that nothing of it is lost on the way to Jupyter and back. */
export const mixlabMetadata = z
  .object({ id: text, kind: z.literal('sql').optional().catch(undefined), metadata: text })
  .catch({})

/** A text as Jupyter keeps it: lines with their ends. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? []
}
