/** Pages like those on a screen: 1024x768, texts from a source, fonts by name. Each returns a document. */
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const list = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join('');

function page(css, body) {
  return `<!doctype html><meta charset="utf-8"><style>*{box-sizing:border-box}html,body{margin:0;width:1024px;height:768px;overflow:hidden}
${css}</style><body>${body}`;
}

export const pages = {
  article: (t, { sans, serif }) =>
    page(
      `body{background:#fff;color:#222;font:16px/1.5 "${serif}";padding:18px 60px} h1{font:bold 32px "${serif}";margin:0 0 8px} .by{color:#666;font:13px "${sans}"} h2{font:bold 20px "${serif}"} blockquote{font:italic 18px "${serif}";border-left:4px solid #c9c;padding-left:14px;margin-left:0} a{color:#0645ad}`,
      `<h1>${t.title(4)}</h1><div class=by>By ${t.title(2)}, ${t.date()} at ${t.clock()}</div><p>${t.paragraph(3)}</p><h2>${t.title(3)}</h2><p>${t.paragraph(2)} <a href=#>${t.words(3)}</a></p><blockquote>${t.sentence()}</blockquote><p style="font-size:14px">${t.paragraph(3)}</p>`,
    ),
  settings: (t, { sans }) =>
    page(
      `body{background:#f0f0f0;color:#111;font:13px "${sans}"} .side{position:absolute;left:0;top:0;bottom:0;width:210px;background:#fafafa;border-right:1px solid #ccc;padding:12px} .side div{padding:7px 8px} .on{background:#3584e4;color:#fff;border-radius:5px} .main{margin-left:230px;padding:14px} .row{display:flex;justify-content:space-between;padding:9px 12px;background:#fff;border:1px solid #ddd;border-bottom:0} h1{font-size:18px;margin:6px 0 14px} button{font:13px "${sans}";padding:5px 14px;margin-right:8px} input{font:13px "${sans}";width:180px} small{font-size:12px;color:#777;display:block} .go{background:#1a73e8;color:#fff;border:0;border-radius:4px}`,
      `<div class=side>${list(13, (i) => `<div class="${i === 3 ? 'on' : ''}">${t.title(t.int(1, 2))}</div>`)}</div><div class=main><h1>${t.title(3)}</h1>${list(9, () => `<div class=row><span>${t.capital(t.words(3))}<small>${t.sentence()}</small></span><b style="font-weight:normal">${t.pick([t.number, t.phrase, t.date, t.size, t.name])()}</b></div>`)}<p><button class=go>${t.phrase()}</button><button>${t.phrase()}</button><button>${t.phrase()}</button></p></div>`,
    ),
  editor: (t, { mono, sans }) =>
    page(
      `body{background:#1e1e1e;color:#d4d4d4;font:14px/20px "${mono}"} .tabs{background:#252526;height:34px;font:13px/34px "${sans}";padding-left:60px} .tabs span{padding:0 16px;color:#969696} .tabs .on{color:#fff;background:#1e1e1e} .line{white-space:pre;padding-left:14px} .n{color:#858585;display:inline-block;width:40px} .k{color:#569cd6} .s{color:#ce9178} .c{color:#6a9955} .foot{position:absolute;bottom:0;left:0;right:0;height:24px;background:#007acc;color:#fff;font:12px/24px "${sans}";padding:0 10px} .foot span{margin-right:24px}`,
      `<div class=tabs><span class=on>${t.name()}</span><span>${t.name()}</span><span>${t.name()}</span></div>${list(33, (i) => `<div class=line><span class=n>${i + 1}</span>${'  '.repeat(t.int(0, 3))}<span class="${t.pick(['', '', 'k', 's', 'c'])}">${escape(t.code())}</span></div>`)}<div class=foot><span>${t.word()}*</span><span>Ln ${t.int(1, 99)}, Col ${t.int(1, 80)}</span><span>UTF-8</span><span>Spaces: 2</span></div>`,
    ),
  table: (t, { sans }) =>
    page(
      `body{background:#fff;color:#000;font:12px "${sans}";padding:10px} h1{font-size:24px;margin:4px 0 10px} table{border-collapse:collapse;width:100%} th{background:#2f5597;color:#fff;text-align:left;padding:5px 6px;font-size:13px} td{padding:5px 6px;border-bottom:1px solid #ddd} tr:nth-child(even) td{background:#eef3fb} .r{text-align:right} .bad{color:#c00} .good{color:#080}`,
      `<h1>${t.title(3)}</h1><table><tr><th>Id<th>${t.title(1)}<th>${t.title(2)}<th>Date<th class=r>Amount<th>${t.title(1)}</tr>${list(24, () => `<tr><td>${t.int(1000, 9999)}<td>${t.title(2)}<td>${t.mail()}<td>${t.date()}<td class=r>${t.price()}<td class="${t.pick(['bad', 'good', ''])}">${t.capital(t.word())}</tr>`)}</table>`,
    ),
  banner: (t, { sans }) =>
    page(
      `body{background:#fff;font:15px "${sans}";color:#333} header{background:#0b57d0;color:#fff;padding:14px 24px;display:flex;gap:30px;align-items:center} header b{font-size:22px} .hero{background:linear-gradient(90deg,#6a11cb,#2575fc);color:#fff;padding:34px 24px} .hero h1{font-size:40px;margin:0 0 10px} .hero p{font-size:18px;width:640px} button{font:bold 15px "${sans}";border:0;padding:10px 22px;margin-right:14px;border-radius:6px;color:#fff} .cards{display:flex;gap:16px;padding:20px 24px} .card{flex:1;border:1px solid #ddd;border-radius:8px;padding:14px} .card h3{margin:0 0 8px;font-size:17px} .grey{color:#767676;font-size:14px} .ong{background:#e8e8e8;color:#666;padding:9px 24px;font-size:14px}`,
      `<header><b>${t.title(1)}</b>${list(5, () => `<span>${t.title(1)}</span>`)}</header><div class=hero><h1>${t.title(4)}</h1><p>${t.paragraph(2)}</p><button style="background:#ff5722">${t.phrase()}</button><button style="background:#00897b">${t.phrase()}</button><button style="background:#fff;color:#222">${t.phrase()}</button></div><div class=cards>${list(3, () => `<div class=card><h3>${t.title(2)}</h3>${t.paragraph(2)}<p class=grey>${t.date()} · ${t.size()}</p></div>`)}</div><div class=ong>${t.sentence()} ${t.mail()}</div>`,
    ),
  files: (t, { sans }) =>
    page(
      `body{background:#fff;color:#2e3436;font:13px "${sans}"} .bar{background:#e8e8e7;border-bottom:1px solid #bbb;padding:5px 8px} .bar span{margin-right:18px} .loc{padding:6px 8px;border-bottom:1px solid #ccc} .loc i{font-style:normal;border:1px solid #aaa;padding:3px 8px;display:inline-block;width:520px} .tree{position:absolute;left:0;top:64px;width:190px;bottom:0;border-right:1px solid #ccc;padding:6px 18px} .tree div{padding:4px} .list{margin-left:200px} .row{display:flex;padding:3px 8px} .row span:nth-child(1){width:330px} .row span:nth-child(2){width:110px} .row span:nth-child(3){width:140px} .sel{background:#4a90d9;color:#fff} .icon{display:inline-block;width:14px;height:14px;background:#e9b96e;margin-right:8px;vertical-align:-2px}`,
      `<div class=bar>${['File', 'Edit', 'View', 'Go', 'Bookmarks', 'Tools', 'Help'].map((m) => `<span>${m}</span>`).join('')}</div><div class=loc><i>${t.path()}</i></div><div class=tree>${list(9, () => `<div><b class=icon></b>${t.title(1)}</div>`)}</div><div class=list><div class=row style="background:#f4f4f4"><span>Name</span><span>Size</span><span>Type</span><span>Modified</span></div>${list(28, (i) => `<div class="row ${i === 5 || i === 9 ? 'sel' : ''}"><span><b class=icon></b>${t.name()}</span><span>${t.size()}</span><span>${t.word()} file</span><span>${t.date()} ${t.clock()}</span></div>`)}</div>`,
    ),
  ladder: (t, { sans, serif, mono }) =>
    page(
      `body{background:#fff;color:#000;padding:6px 14px} div{white-space:nowrap;overflow:hidden;line-height:1.35}`,
      [10, 11, 12, 12, 12, 13, 13, 13, 14, 14, 15, 16, 17, 18, 20, 22, 24, 26, 28, 32, 36]
        .map((size, i) => {
          const font = [sans, serif, mono][i % 3];
          const weight = i % 4 === 3 ? 'bold' : 'normal';
          const ink = ['#000', '#333', '#0a4', '#914', '#555'][i % 5];
          const count = Math.floor(980 / size / 4.6);
          return `<div style="font:${weight} ${size}px '${font}';color:${ink}">${t.capital(t.words(count - 2))} ${t.number()} ${t.key()}</div>`;
        })
        .join(''),
    ),
  mail: (t, { sans }) =>
    page(
      `body{background:#fff;color:#202124;font:14px "${sans}"} .list{position:absolute;left:0;top:0;bottom:0;width:330px;border-right:1px solid #ddd} .item{padding:9px 12px;border-bottom:1px solid #eee} .item b{display:block;font-size:14px} .item small{display:block;color:#5f6368;font-size:12px;white-space:nowrap;overflow:hidden} .item i{float:right;font:12px "${sans}";color:#1a73e8} .body{margin-left:330px;padding:18px 24px} h1{font-size:22px;font-weight:normal;margin:0 0 12px} .from{font-size:13px;color:#5f6368} p{line-height:1.5} button{font:bold 14px "${sans}";border:1px solid #747775;border-radius:16px;background:#fff;padding:7px 20px;margin-right:10px;color:#444}`,
      `<div class=list>${list(10, () => `<div class=item><i>${t.clock()}</i><b>${t.title(2)}</b>${t.capital(t.words(3))}<small>${t.words(5)}</small></div>`)}</div><div class=body><h1>${t.title(4)}</h1><div class=from>${t.title(2)} ${t.mail()}</div><p>Dear ${t.title(1)},</p><p>${t.paragraph(3)}</p><p>${t.paragraph(2)} ${t.url()}</p><p>Best regards,<br>${t.title(2)}</p><button>Reply</button><button>Reply all</button><button>Forward</button></div>`,
    ),
  dashboard: (t, { sans }) =>
    page(
      `body{background:#10151f;color:#dfe6f0;font:14px "${sans}";padding:16px} h1{font-size:20px;margin:0 0 14px} .tiles{display:flex;gap:14px} .tile{flex:1;background:#1b2333;border-radius:8px;padding:14px} .tile b{display:block;font-size:34px;margin:6px 0} .tile small{font-size:12px;color:#8ea0bd} .up{color:#4ade80} .down{color:#f87171} .log{background:#0a0d14;margin-top:16px;padding:12px;font:13px/19px "DejaVu Sans Mono";border-radius:8px;white-space:pre} .tag{background:#f59e0b;color:#111;font-size:12px;padding:2px 7px;border-radius:9px}`,
      `<h1>${t.title(2)} <span class=tag>${t.word()}</span></h1><div class=tiles>${list(4, () => `<div class=tile>${t.title(2)}<b>${t.pick([t.number, t.price])()}</b><small><span class=${t.pick(['up', 'down'])}>+${t.int(1, 20)}.${t.int(0, 9)}%</span> since last ${t.word()}</small></div>`)}</div><div class=log>${list(22, () => `<div>${t.date()} ${t.clock()}:${t.int(10, 59)} ${t.pick(['INFO', 'WARN', 'ERROR', 'DEBUG'])} ${t.words(t.int(3, 6))} ${t.pick([t.path, t.number, t.name])()}</div>`)}</div>`,
    ),
  shop: (t, { sans, serif }) =>
    page(
      `body{background:#f7f3ea;color:#3b2f2f;font:15px "${serif}"} nav{background:#5d4037;color:#ffe0b2;padding:10px 20px;font:bold 15px "${sans}"} nav span{margin-right:26px} .grid{display:grid;grid-template-columns:repeat(4,1fr);gap:14px;padding:16px 20px} .p{background:#fff;border:1px solid #e0d6c3;padding:12px} .img{height:70px;background:linear-gradient(45deg,#ffcc80,#8d6e63)} .p b{display:block;font-size:17px;margin-top:8px} .price{color:#b71c1c;font:bold 18px "${sans}"} .old{color:#8a8a8a;font:13px "${sans}"} button{font:13px "${sans}";background:#33691e;color:#fff;border:0;padding:6px 12px;margin-top:6px}`,
      `<nav>${list(6, () => `<span>${t.title(1)}</span>`)}</nav><div class=grid>${list(8, () => `<div class=p><div class=img></div><b>${t.title(2)}</b>${t.capital(t.words(6))}.<div><span class=price>${t.price()}</span> <span class=old>was ${t.price()}</span></div><button>${t.phrase()}</button></div>`)}</div><div style="padding:0 20px">${t.sentence()}</div>`,
    ),
};
