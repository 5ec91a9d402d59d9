import { useMemo, useState } from 'react'
import { letterOf } from '../../../engine/charts/drawing/letters.ts'
import { drawSheet } from '../../../engine/charts/drawing/sheet.ts'
import { svgOf } from '../../../engine/charts/drawing/svg.ts'
import { type FigureFormat, FORMATS, writeFigure } from '../../../engine/charts/drawing/write.ts'
import { COLUMN, checkPaper, PAGE_WIDTH, type Paper, paperStyle, sheetOf } from '../../../engine/charts/figure/paper.ts'
import { messageOf } from '../../../engine/errors.ts'
import { saveBytes } from '../../host/saveBytes.ts'
import { Button } from '../../ui/Button.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { Dialog, DialogHead } from '../../ui/Dialog.tsx'
import { closeDialog } from '../../ui/dialog.ts'
import { notify } from '../../ui/notices.ts'
import { ScrollBox } from '../../ui/ScrollBox.tsx'
import { type ToSave, useAsked, zoomedTo } from './asked.ts'
import { pngOf } from './png.ts'

type Format = FigureFormat | 'png'

const WORDS: Record<Format, string> = { ...FORMATS, png: 'PNG, 300 dots an inch' }
const OWN = 'own'
const WIDTHS = [
  [String(COLUMN.width), `one column, ${COLUMN.width} cm`],
  [String(PAGE_WIDTH), `both columns, ${PAGE_WIDTH} cm`],
  [OWN, 'another'],
] as const

/** A figure as it will be in a paper, and what it is saved as. */
export default function SaveView() {
  const { figure } = useAsked()
  return (
    <Dialog label="Save a figure" className="save-figure">
      <DialogHead title="Save a figure" />
      {figure && <SaveForm {...figure} />}
    </Dialog>
  )
}

function SaveForm({ charts, title, columns }: ToSave) {
  const zoom = useAsked((state) => state.zoom)
  const [format, setFormat] = useState<Format>('pdf')
  const [preset, setPreset] = useState<string>(String(COLUMN.width))
  const [width, setWidth] = useState(String(COLUMN.width))
  const [font, setFont] = useState(String(COLUMN.font))
  const [across, setAcross] = useState(String(columns))
  const paper = useMemo(() => paperOf(preset === OWN ? width : preset, font), [preset, width, font])
  const made = useMemo(() => {
    if ('error' in paper) return null
    const style = paperStyle({ ...paper, width: paper.width / Number(across) })
    return charts.map((chart) => zoomedTo(chart.onPaper?.(style) ?? chart, zoom))
  }, [charts, zoom, paper, across])
  const drawn = useMemo(
    () => made && !('error' in paper) && drawSheet(made, sheetOf(paper), Number(across)),
    [made, paper, across],
  )
  const preview = drawn && svgOf(drawn, { unit: 'pt', label: title, ground: 'rgb(255, 255, 255)' })

  const save = async () => {
    if (!made || 'error' in paper) return
    const name = `${title.replace(/[^\w.-]+/g, '-') || 'chart'}.${format}`
    try {
      const bytes =
        format === 'png' ? await pngOf(preview || '') : await writeFigure(made, format, paper, Number(across))
      if (await saveBytes(name, bytes)) closeDialog()
    } catch (error) {
      notify({ tone: 'bad', text: `${name} was not saved: ${messageOf(error)}` })
    }
  }

  return (
    <div className="save-body">
      <div className="save-choices">
        <Choice
          label="as"
          value={format}
          options={(Object.keys(WORDS) as Format[]).map((each) => [each, WORDS[each]] as const)}
          onChange={setFormat}
          testId="figure-format"
        />
        {format !== 'csv' && (
          <>
            <Choice label="width" value={preset} options={WIDTHS} onChange={setPreset} testId="figure-width" />
            {preset === OWN && <NumberField label="cm" value={width} onChange={setWidth} />}
            <NumberField label="letters, pt" value={font} onChange={setFont} />
            {charts.length > 1 && (
              <Choice
                label="side by side"
                value={across}
                options={charts.map((_, i) => String(i + 1))}
                onChange={setAcross}
                testId="figure-columns"
              />
            )}
          </>
        )}
        <Button look="primary" disabled={!made} onClick={() => void save()} testId="figure-save">
          Save
        </Button>
      </div>
      {'error' in paper && (
        <p className="bad" role="alert">
          {paper.error}
        </p>
      )}
      {preview && format !== 'csv' && (
        // the page may be dark; paper is not
        <div className="save-preview">
          <ScrollBox label="preview">
            <img alt={`${title}, as it will be`} src={`data:image/svg+xml,${encodeURIComponent(preview)}`} />
          </ScrollBox>
        </div>
      )}
      {charts.map(({ title, rows, columns, note }, i) => {
        const letter = charts.length > 1 ? `${letterOf(i)} ${title}` : ''
        const numbers = format === 'csv' ? `${rows.length} rows: ${columns.join(', ')}.` : ''
        const words = [letter, numbers, note].filter(Boolean).join(' ')
        return (
          words && (
            <p key={letterOf(i)} className="muted">
              {words}
            </p>
          )
        )
      })}
    </div>
  )
}

interface NumberFieldProps {
  label: string
  value: string
  onChange(value: string): void
}

function NumberField({ label, value, onChange }: NumberFieldProps) {
  return (
    <label className="choice">
      <span className="muted">{label}</span>
      <input inputMode="decimal" size={5} value={value} onChange={({ target }) => onChange(target.value)} />
    </label>
  )
}

function paperOf(width: string, font: string): Paper | { error: string } {
  try {
    return checkPaper({ width: Number(width.replace(',', '.')), font: Number(font.replace(',', '.')) })
  } catch (error) {
    return { error: messageOf(error) }
  }
}
