import { z } from 'zod'

/** What is read of a Jupyter notebook; the rest may be anything. */
export const jupyterNotebook = z.object({
  nbformat: z.number(),
  metadata: z
    .object({
      kernelspec: z.object({ language: z.string().optional() }).optional(),
      language_info: z.object({ name: z.string().optional() }).optional(),
    })
    .default({}),
  cells: z.array(
    z.object({
      cell_type: z.string(),
      source: z.union([z.string(), z.array(z.string())]).default(''),
      metadata: z.record(z.string(), z.unknown()).default({}),
    }),
  ),
})

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
export const mixlabMetadata = z.object({
  id: z.string().optional(),
  kind: z.literal('sql').optional(),
  metadata: z.string().optional(),
})

/** A text as Jupyter keeps it: lines with their ends. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? []
}
