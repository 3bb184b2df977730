// Tables whose columns sort their rows: a click on a column's name, the most first, a second one the least first.

/** By the numbers or texts in data-value of each cell. */
export function makeSortable(table: HTMLTableElement): void {
  const body = table.tBodies[0];
  if (body === undefined) return;
  const heads = [...table.querySelectorAll('thead th')];
  const cellValue = (row: HTMLTableRowElement, column: number) => row.cells[column]?.getAttribute('data-value') ?? '';
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      const least = head.getAttribute('aria-sort') === 'descending';
      for (const each of heads) each.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', least ? 'ascending' : 'descending');
      const rows = [...body.rows].sort((x, y) => compare(cellValue(x, column), cellValue(y, column)));
      body.append(...(least ? rows : rows.reverse()));
    });
  });
}

function compare(x: string, y: string): number {
  const [one, other] = [Number(x), Number(y)];
  if (!Number.isNaN(one) && !Number.isNaN(other)) return one - other;
  return x < y ? 1 : x > y ? -1 : 0; // texts begin with A
}
