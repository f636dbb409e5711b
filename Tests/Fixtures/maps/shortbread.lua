-- Shortbread 1, as https://shortbread-tiles.org/schema/1.0/ describes it, as far as the page's style draws it.

node_keys = { "place", "addr:housenumber" }
function init_function() end
function exit_function() end

local function set(...)
    local found = {}
    for _, value in ipairs({ ... }) do found[value] = true end
    return found
end

local land = {
    landuse = set("residential", "commercial", "industrial", "retail", "railway", "garages", "farmland", "farmyard", "orchard",
        "vineyard", "allotments", "forest", "grass", "meadow", "village_green", "recreation_ground", "cemetery"),
    natural = set("wood", "scrub", "heath", "grassland", "sand", "beach"),
    leisure = set("park", "garden", "golf_course", "playground"),
}
local streets = set("motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "living_street",
    "service", "pedestrian", "footway", "path", "cycleway", "steps", "track", "bridleway", "road")

local function names(object)
    local name = object:Find("name")
    if name ~= "" then object:Attribute("name", name) end
    for _, language in ipairs({ "de", "en" }) do
        local other = object:Find("name:" .. language)
        if other ~= "" then object:Attribute("name_" .. language, other) end
    end
    return name
end

local function address(object, centroid)
    local number = object:Find("addr:housenumber")
    if number == "" then return end
    if centroid then object:LayerAsCentroid("addresses") else object:Layer("addresses", false) end
    object:Attribute("housenumber", number)
end

function node_function(node)
    address(node, false)
    local place = node:Find("place")
    if place == "" or node:Find("name") == "" then return end
    node:Layer("place_labels", false)
    node:Attribute("kind", place)
    names(node)
end

local function street(way, highway)
    local kind = highway:gsub("_link$", "")
    if not streets[kind] then return end
    way:Layer("streets", false)
    way:Attribute("kind", kind)
    way:AttributeBoolean("link", highway ~= kind)
    if way:Find("name") ~= "" then
        way:Layer("street_labels", false)
        way:Attribute("kind", kind)
        names(way)
    end
end

local function water(way)
    local waterway, natural = way:Find("waterway"), way:Find("natural")
    if natural == "water" or waterway == "riverbank" or way:Find("landuse") == "reservoir" then
        way:Layer("water_polygons", true)
        way:Attribute("kind", waterway == "riverbank" and "river" or "water")
        if way:Find("name") ~= "" then
            way:LayerAsCentroid("water_polygons_labels")
            way:Attribute("kind", "water")
            names(way)
        end
    elseif waterway == "river" or waterway == "stream" or waterway == "canal" or waterway == "ditch" or waterway == "drain" then
        way:Layer("water_lines", false)
        way:Attribute("kind", waterway)
        if way:Find("name") ~= "" then
            way:Layer("water_lines_labels", false)
            way:Attribute("kind", waterway)
            names(way)
        end
    end
end

function way_function(way)
    local highway, railway = way:Find("highway"), way:Find("railway")
    if highway ~= "" then street(way, highway) end
    if railway == "rail" then
        way:Layer("streets", false)
        way:Attribute("kind", railway)
        way:AttributeBoolean("rail", true)
    end
    water(way)
    if way:Find("building") ~= "" and way:Find("building") ~= "no" then way:Layer("buildings", true) end
    address(way, true)
    local level = way:Find("admin_level")
    if way:Find("boundary") == "administrative" and (level == "2" or level == "4") then
        way:Layer("boundaries", false)
        way:AttributeNumeric("admin_level", tonumber(level))
    end
    if not way:IsClosed() then return end
    for key, values in pairs(land) do
        local value = way:Find(key)
        if values[value] then
            way:Layer("land", true)
            way:Attribute("kind", value)
            return
        end
    end
end
