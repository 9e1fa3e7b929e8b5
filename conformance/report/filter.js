// Shows of a list the rows that fit what is chosen in its form. The form may be drawn anew.
function fit(form) {
  const chosen = [...form.elements].filter(({ name, value }) => name && value.trim() !== '');
  const rows = [...document.querySelectorAll(form.dataset.rows)];
  for (const row of rows) {
    const fits = ({ name, type, value }) =>
      type === 'search'
        ? row.textContent.toLowerCase().includes(value.trim().toLowerCase())
        : ` ${row.dataset[name]} `.includes(` ${value} `);
    row.hidden = !chosen.every(fits);
  }
  const lines = rows.filter(({ tagName }) => tagName === 'TR');
  const left = lines.filter(({ hidden }) => !hidden).length;
  form.querySelector('[role=status]').textContent = `${left} of ${lines.length} shown`;
  form.dispatchEvent(new Event('fitted', { bubbles: true }));
}

for (const kind of ['input', 'reset']) {
  document.addEventListener(kind, ({ target }) => {
    const form = target.closest('.filters');
    // A form is reset after the event.
    if (form) setTimeout(fit, 0, form);
  });
}
document.addEventListener('submit', (event) => event.preventDefault());
