-- Protomaps 4, as https://docs.protomaps.com/basemaps/layers describes it, as far as the page's style draws it.

node_keys = { "place", "addr:housenumber" }
function init_function() end
function exit_function() end

local function set(...)
    local found = {}
    for _, value in ipairs({ ... }) do found[value] = true end
    return found
end

local landuse = {
    landuse = set("residential", "commercial", "industrial", "railway", "farmland", "farmyard", "orchard", "vineyard", "allotments",
        "forest", "grass", "meadow", "village_green", "recreation_ground", "cemetery"),
    natural = set("wood", "scrub", "grassland", "sand", "beach", "glacier"),
    leisure = set("park", "garden", "golf_course", "pitch", "nature_reserve"),
}
local kinds = { motorway = "highway", trunk = "major_road", primary = "major_road", secondary = "major_road", tertiary = "major_road" }
for kind in pairs(set("unclassified", "residential", "living_street", "service", "road", "raceway")) do kinds[kind] = "minor_road" end
for kind in pairs(set("pedestrian", "footway", "path", "cycleway", "steps", "track", "bridleway")) do kinds[kind] = "path" end

local function names(object)
    local name = object:Find("name")
    if name ~= "" then object:Attribute("name", name) end
    for _, language in ipairs({ "de", "en" }) do
        local other = object:Find("name:" .. language)
        if other ~= "" then object:Attribute("name:" .. language, other) end
    end
end

local function address(object, centroid)
    local number = object:Find("addr:housenumber")
    if number == "" then return end
    if centroid then object:LayerAsCentroid("buildings") else object:Layer("buildings", false) end
    object:Attribute("kind", "address")
    object:Attribute("addr_housenumber", number)
end

function node_function(node)
    address(node, false)
    local place = node:Find("place")
    if place == "" or node:Find("name") == "" then return end
    node:Layer("places", false)
    local isPart = place == "suburb" or place == "neighbourhood" or place == "quarter"
    node:Attribute("kind", isPart and "neighbourhood" or place == "country" and "country" or "locality")
    node:Attribute("kind_detail", place)
    names(node)
end

local function water(way)
    local waterway, natural = way:Find("waterway"), way:Find("natural")
    local isArea = natural == "water" or waterway == "riverbank" or way:Find("landuse") == "reservoir"
    if isArea then
        way:Layer("water", true)
        way:Attribute("kind", waterway == "riverbank" and "river" or "water")
        if way:Find("name") ~= "" then
            way:LayerAsCentroid("water")
            way:Attribute("kind", "water")
            names(way)
        end
    elseif waterway == "river" or waterway == "stream" or waterway == "canal" or waterway == "ditch" or waterway == "drain" then
        way:Layer("water", false)
        way:Attribute("kind", waterway)
        names(way)
    end
end

function way_function(way)
    local highway, railway = way:Find("highway"), way:Find("railway")
    local kind = kinds[(highway:gsub("_link$", ""))]
    if kind then
        way:Layer("roads", false)
        way:Attribute("kind", kind)
        way:Attribute("kind_detail", highway)
        names(way)
    end
    if railway == "rail" then
        way:Layer("roads", false)
        way:Attribute("kind", "rail")
        way:Attribute("kind_detail", railway)
    end
    water(way)
    if way:Find("building") ~= "" and way:Find("building") ~= "no" then
        way:Layer("buildings", true)
        way:Attribute("kind", "building")
    end
    address(way, true)
    local level = way:Find("admin_level")
    if way:Find("boundary") == "administrative" and (level == "2" or level == "4") then
        way:Layer("boundaries", false)
        way:Attribute("kind", level == "2" and "country" or "region")
        way:AttributeNumeric("kind_detail", tonumber(level))
    end
    if not way:IsClosed() then return end
    for key, values in pairs(landuse) do
        local value = way:Find(key)
        if values[value] then
            way:Layer("landuse", true)
            way:Attribute("kind", value)
            return
        end
    end
end
