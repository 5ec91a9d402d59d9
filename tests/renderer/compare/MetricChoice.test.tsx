import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { MetricChoice } from '../../../renderer/compare/MetricChoice.tsx'
import { ACCURACY } from '../../meanings.ts'
import { detailsOf, valued } from './samples.ts'

it('says of a read-out of the test that was added after looking that it is exploratory', () => {
  const metrics = { 'test/accuracy': valued(1, ACCURACY), 'readout/norm': valued(3, { exploratory: true }) }
  const known = Object.keys(metrics)
  const html = renderToStaticMarkup(
    <MetricChoice known={known} chosen={[]} runs={[detailsOf(1, { metrics })]} onChange={() => {}} />,
  )
  const labels = [...html.matchAll(/<label>.*?<\/label>/g)].map(([label]) => label.replace(/<.*?>/g, '').trim())
  expect(labels).toEqual(['test/accuracy', 'readout/norm (exploratory)'])
})
