import { launch, person, playUntil, sees, Server, sitDown, SIZES, splitOrPlay } from "./harness.mjs";
const OUT="/tmp/w-jr-tmp/shots"; import { mkdirSync } from "node:fs"; mkdirSync(OUT,{recursive:true});
const wanted=(process.argv[2]??"wide-dark").split(",");
const server={url:process.env.QD_URL, async table(w){const a=await fetch(this.url+"/api/tables",{method:"POST",body:JSON.stringify({name:"Anna",bot_pace_ms:0,...w})}); return a.json();}};
const browser=await launch();
const variant=process.argv[3]??"advanced";
const done=new Set();
const lang=process.argv[4]??"en";
try{
 for(const w of wanted){
  const [size,theme]=w.split("-");
  const page=await person(browser,{size:SIZES[size]??{width:+size.split("x")[0],height:+size.split("x")[1]},theme,lang});
  const shoot=async n=>{await page.waitForTimeout(500);await page.screenshot({path:`${OUT}/${n}-${w}.png`});};
  const seated=await server.table({game:"jolly-roger",options:{variant},seats:[{kind:"mine"},{kind:"bot"}],start:true});
  await sitDown(page,server,seated,"jolly-roger");
  const phase=(sel,turn)=>async()=>(await page.locator("header, .top").first().innerText()).match(new RegExp(`\\b${turn} `))&&(await page.locator(sel).count())>0;
  const opt={act:splitOrPlay,limitMs:90000};
  await page.locator(".trays li, ul.hand li").first().waitFor();
  await playUntil([page],async()=>(await page.locator(".trays li button").count())>0,opt);
  await page.locator(".trays li button").nth(1).click(); await page.locator(".trays li button").nth(3).click();
  await shoot("1split");
  await playUntil([page],async()=>(await page.locator("button.tray").count())>0,opt);
  await shoot("2pick");
  await playUntil([page],async()=>/[45]/.test((await page.locator(".top").first().innerText()))&&(await page.locator("ul.hand button.playable").count())>1,opt);
  await shoot("3play");
  await page.locator("ul.hand button.playable").first().click();
  await shoot("4target");
  let i=0;
  await playUntil([page],async()=>{ 
    for (const sp of ["kraken","tortuga","skeleton"]) { const b=page.locator(`ul.hand button.playable:has([data-face=${sp}])`); if(!done.has(sp)&&(await b.count())>0){done.add(sp); if((await page.locator("button.target").count())===0) await b.first().click(); if(await page.locator("button.target.kraken").count()) await page.locator("button.target.kraken").first().hover(); await shoot("5"+sp);} }
    return /[78]/.test((await page.locator(".top").first().innerText()))&&(await page.locator("ul.hand button.playable").count())>0;},opt);
  await shoot("6late");
  await playUntil([page],async()=>await sees(page,".floating")||await sees(page,"#end-title"),opt);
  await shoot("7count");
  await playUntil([page],()=>sees(page,"#end-title"),opt);
  await shoot("8end");
  console.log(w,page.troubles);
  await page.context().close();
 }
}finally{await browser.close();}
