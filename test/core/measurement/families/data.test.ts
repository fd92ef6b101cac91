import { tableJoin } from '../../../../src/core/measurement/families/data/table-join';
import { describeFamily } from './describe-family';

describeFamily(tableJoin, ({ town }, { question }) => {
  // Reads the tables from the question, and goes from the customers to their orders.
  const table = (name: string) => {
    const lines = (question.split(`${name}\n`).at(-1) ?? '').split('\n\n')[0]?.split('\n') ?? [];
    return lines.slice(1).map((line) => line.split(','));
  };
  const [prices, orders] = [
    new Map(table('Prices').map(([product = '', price]) => [product, Number(price)])),
    table('Orders'),
  ];
  let total = 0;
  for (const [customer, home] of table('Customers')) {
    for (const [name, product, amount] of orders) {
      if (home !== town || name !== customer) continue;
      total += Number(amount) * (prices.get(product ?? '') ?? NaN);
    }
  }
  return `${total}.00`;
});
