import { useMemo, useState } from 'react'
import type { StepTimeRow } from '../../engine/charts/stepTimes.ts'
import type { Diagram } from '../../engine/diagram/diagram.ts'
import { differenceOf } from '../../engine/diagram/difference.ts'
import { diagramSvg, shareOf } from '../../engine/diagram/draw.ts'
import { pictureOf } from '../../engine/diagram/layout.ts'
import type { DiagramNode } from '../../engine/diagram/node.ts'
import { openedTo } from '../../engine/diagram/opened.ts'
import { blockCosts } from '../../engine/diagram/sizes.ts'
import { COLUMNS, diagramCsv, rowsOf, valuesOf } from '../../engine/diagram/table.ts'
import { type Times, timeOf } from '../../engine/diagram/time.ts'
import { treeOf } from '../../engine/diagram/tree.ts'
import { differenceText, totalsText, wrongText } from '../../engine/diagram/words.ts'
import { messageOf } from '../../engine/errors.ts'
import { saveBytes } from '../host/saveBytes.ts'
import { Button } from '../ui/Button.tsx'
import { Choice } from '../ui/Choice.tsx'
import { copyText } from '../ui/copyText.ts'
import { DataTable } from '../ui/DataTable.tsx'
import { notify } from '../ui/notices.ts'
import { ScrollBox } from '../ui/ScrollBox.tsx'
import { CostCurves } from './CostCurves.tsx'
import { DiagramTree } from './DiagramTree.tsx'
import { PartFacts } from './PartFacts.tsx'

interface ModelViewProps {
  /** The models that can be chosen, at least one. */
  diagrams: readonly Diagram[]
  /** Goes to a line of a cell, `<cell>:<line>`. */
  onLine?: ((line: string) => void) | undefined
  /** Measures a model, which is asked for alone. */
  measure?: ((name: string) => Promise<Times>) | undefined
  /** Reads how long the steps of stored runs of these models took. */
  stored: () => Promise<StepTimeRow[]>
  /** What the difference is held against at first; nothing where it is left out. */
  against?: string
}

const NOTHING = '(nothing)'
const SHARES = [
  ['macs', 'multiply-adds'],
  ['parameters', 'parameters'],
  ['bytes', 'bytes'],
  ['ms', 'measured time'],
] as const
type Share = (typeof SHARES)[number][0]

/** A model as a diagram that opens down to operations, the table behind it, and its difference to another one. */
export function ModelView({ diagrams, onLine, measure, stored, against = NOTHING }: ModelViewProps) {
  const names = diagrams.map(({ name }) => name)
  const [wanted, setWanted] = useState(names.find((name) => name !== against) ?? '')
  const [other, setOther] = useState(against)
  const [levels, setLevels] = useState(0)
  const [turned, setTurned] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [selected, setSelected] = useState<string | null>(null)
  const [table, setTable] = useState(false)
  const [curves, setCurves] = useState(false)
  const [share, setShare] = useState<Share>('macs')
  const [times, setTimes] = useState<{ of: string; found: Times | null } | null>(null)

  const shown = diagrams.find(({ name }) => name === wanted) ?? (diagrams[0] as Diagram)
  const held = diagrams.find(({ name }) => name === other && name !== shown.name) ?? null
  const difference = useMemo(() => held && differenceOf(held, shown), [held, shown])
  const diagram = difference?.diagram ?? shown
  const root = useMemo(() => treeOf(diagram), [diagram])
  const open = useMemo(() => withTurned(openedTo(root, levels), turned), [root, levels, turned])
  const picture = useMemo(() => pictureOf(diagram, root, open), [diagram, root, open])
  const parts = useMemo(() => new Map(rowsOf(root).map(({ node }) => [node.id, node])), [root])
  const costs = useMemo(() => (shown.wrong ? null : blockCosts(shown)), [shown])
  const measured = !difference && times?.of === shown.name ? times.found : null
  const part = (selected !== null && parts.get(selected)) || root
  const whole = measured && timeOf(root, measured)
  const shareIn = (node: DiagramNode) => {
    if (share === 'ms') return measured && whole ? (timeOf(node, measured) ?? 0) / whole : 0
    const all = diagram.totals[share]
    return share === 'macs' ? shareOf(node, diagram) : all > 0 ? node[share] / all : 0
  }

  const time = async () => {
    setTimes({ of: shown.name, found: null })
    try {
      setTimes({ of: shown.name, found: (await measure?.(shown.name)) ?? null })
      setShare('ms')
    } catch (error) {
      setTimes(null)
      notify({ tone: 'bad', text: `${shown.name} was not measured: ${messageOf(error)}` })
    }
  }
  const save = async (ending: 'svg' | 'csv') => {
    const name = `${diagram.name.replace(/[^\w.-]+/g, '-')}.${ending}`
    const text = ending === 'csv' ? diagramCsv(diagram) : diagramSvg(diagram, open)
    await saveBytes(name, new TextEncoder().encode(text)).catch((error) => {
      notify({ tone: 'bad', text: `${name} was not saved: ${messageOf(error)}` })
    })
  }

  return (
    <div className="model-view" data-testid="model-view">
      <div className="model-tools">
        {names.length > 1 && (
          <Choice label="model" options={names} value={shown.name} onChange={setWanted} testId="model-shown" />
        )}
        {names.length > 1 && (
          <Choice
            label="against"
            options={[NOTHING, ...names.filter((name) => name !== shown.name)]}
            value={held?.name ?? NOTHING}
            onChange={setOther}
            testId="model-against"
          />
        )}
        <Choice
          label="bars"
          options={SHARES.filter(([name]) => name !== 'ms' || measured)}
          value={share === 'ms' && !measured ? 'macs' : share}
          onChange={setShare}
        />
        <Button look="small" onClick={() => reopen(levels + 1)} title="Open every part one level deeper">
          Open
        </Button>
        <Button look="small" onClick={() => reopen(0)}>
          Close all
        </Button>
        <Button look="small" aria-pressed={table} onClick={() => setTable(!table)} testId="model-table">
          Data
        </Button>
        <Button look="small" onClick={() => void save('svg')}>
          SVG
        </Button>
        <Button look="small" onClick={() => void save('csv')}>
          CSV
        </Button>
        {costs && (
          <Button look="small" aria-pressed={curves} onClick={() => setCurves(!curves)} testId="model-cost">
            Cost
          </Button>
        )}
        {measure && !difference && (
          <Button
            look="small"
            busy={times !== null && times.found === null}
            onClick={() => void time()}
            testId="measure"
          >
            {times !== null && times.found === null ? 'Measures…' : 'Measure'}
          </Button>
        )}
      </div>
      <p className="model-total" data-testid="model-total">
        {difference && held && (
          <strong>
            {differenceText(difference, held.name, shown.name)}
            {'. '}
          </strong>
        )}
        {diagram.wrong ? <span className="bad">{wrongText(diagram.wrong)}</span> : totalsText(diagram)}
        {diagram.wrong?.line && onLine && (
          <Button look="small" onClick={() => onLine(diagram.wrong?.line ?? '')} testId="model-fault">
            Go to {diagram.wrong.line}
          </Button>
        )}
      </p>
      {measured && <p className="muted">{measured.how}</p>}
      <div className="model-body">
        <ScrollBox label={`diagram of ${diagram.name}`}>
          <DiagramTree
            picture={picture}
            label={`parts of ${diagram.name}`}
            selected={selected}
            share={({ node }) => shareIn(node)}
            onSelect={setSelected}
            onOpen={(id, isOpen) => setTurned(new Map([...turned, [id, isOpen]]))}
          />
        </ScrollBox>
        <PartFacts part={part} diagram={diagram} ms={measured && timeOf(part, measured)} onLine={onLine} />
      </div>
      {curves && costs && <CostCurves name={shown.name} {...costs} stored={{ key: keyOf(diagrams), read: stored }} />}
      {table && (
        <>
          <DataTable
            columns={[...COLUMNS, ...(measured ? ['ms'] : [])]}
            rows={rowsOf(root).map((row) => [
              ...valuesOf(row, diagram),
              ...(measured ? [timeOf(row.node, measured)] : []),
            ])}
            total={parts.size}
            label={`parts of ${diagram.name}`}
          />
          <Button look="small" onClick={() => void copyText(diagramCsv(diagram), 'The table as CSV')}>
            Copy CSV
          </Button>
        </>
      )}
    </div>
  )

  function reopen(to: number): void {
    setLevels(to)
    setTurned(new Map())
  }
}

/** Other models have another key, as far as stored runs are told apart. */
function keyOf(diagrams: readonly Diagram[]): string {
  return JSON.stringify(diagrams.map(({ name, totals }) => [name, totals.parameters, totals.macs]))
}

/** What is open, once the user has opened and closed parts. */
function withTurned(open: ReadonlySet<string>, turned: ReadonlyMap<string, boolean>): Set<string> {
  const all = new Set(open)
  for (const [id, isOpen] of turned) {
    if (isOpen) all.add(id)
    else all.delete(id)
  }
  return all
}
